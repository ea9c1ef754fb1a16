-- KEYS: the leases. Answers the server's clock, then each record or nil.
local answers = {clock_text}
for i = 1, #KEYS do
    local record = redis.call('HMGET', KEYS[i], 'token', 'owner', 'deadline', 'term', 'released', 'seen',
        'progress_token', 'progress_at', 'progress_note', 'checkpoint')
    answers[i + 1] = record[1] and record or false
end
return answers
