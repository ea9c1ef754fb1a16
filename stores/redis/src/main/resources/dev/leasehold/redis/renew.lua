-- KEYS: the leases.   ARGV: token, attempt and ttl of each. Answers, in order: what remains, or why it is lost.
local answers = {}
for i = 1, #KEYS do
    local deadline, now, now_text = current(KEYS[i], ARGV[3 * i - 2], ARGV[3 * i - 1])
    if deadline then
        local ttl = ARGV[3 * i]
        -- Ahead, never back.
        if now + ttl > deadline then
            deadline = now + ttl
            redis.call('HSET', KEYS[i], 'deadline', whole(deadline), 'term', ttl, 'seen', now_text)
        end
        answers[i] = deadline - now
    else
        answers[i] = now
    end
end
return answers
