-- KEYS: the lease.   ARGV: token, attempt, note, checkpoint; an empty text leaves this owner's earlier one as it is.
local deadline, now, now_text = current(KEYS[1], ARGV[1], ARGV[2])
if not deadline then
    return now
end
-- Grants do not clear what their predecessors reported, which spares them a call; it counts only while progress_token is the
-- current token, and the first report of an owner removes it.
if redis.call('HGET', KEYS[1], 'progress_token') ~= ARGV[1] then
    redis.call('HDEL', KEYS[1], 'progress_note', 'checkpoint')
end
redis.call('HSET', KEYS[1], 'seen', now_text, 'progress_at', now_text, 'progress_token', ARGV[1])
if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[1], 'progress_note', ARGV[3])
end
if ARGV[4] ~= '' then
    redis.call('HSET', KEYS[1], 'checkpoint', ARGV[4])
end
return 1
