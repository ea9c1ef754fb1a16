-- KEYS: lease, progress.   ARGV: proof, note, checkpoint; an empty text leaves this owner's earlier one as it is.
local record = redis.call('GET', KEYS[1])
local deadline, now, term = current(record, ARGV[1])
if not deadline then
    return now
end
-- Grants do not clear what their predecessors reported, which spares them a call; it counts only while its token is the
-- current one, and the first report of an owner removes it.
local token = string.match(ARGV[1], '^%d+')
if redis.call('HGET', KEYS[2], 'token') ~= token then
    redis.call('HDEL', KEYS[2], 'note', 'checkpoint')
end
redis.call('SET', KEYS[1], struct.pack('>ddd', deadline, now, term) .. string.sub(record, 25))
redis.call('HSET', KEYS[2], 'token', token, 'at', string.format('%.0f', now))
if ARGV[2] ~= '' then
    redis.call('HSET', KEYS[2], 'note', ARGV[2])
end
if ARGV[3] ~= '' then
    redis.call('HSET', KEYS[2], 'checkpoint', ARGV[3])
end
return 1
