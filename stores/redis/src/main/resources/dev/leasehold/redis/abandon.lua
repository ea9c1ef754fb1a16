-- The last word of a sender that gives up: releases whatever this attempt was granted, also if it has lapsed.
-- KEYS: the lease.   ARGV: attempt, channel.
local lease = redis.call('HMGET', KEYS[1], 'attempt', 'released', 'seen')
if lease[1] == ARGV[1] and lease[2] ~= '1' then
    local now_text = tonumber(lease[3]) > clock and lease[3] or clock_text
    redis.call('HSET', KEYS[1], 'released', '1', 'deadline', now_text, 'term', '0', 'seen', now_text)
    redis.pcall('PUBLISH', ARGV[2], '')
end
return 1
