-- The last word of a sender that gives up: releases whatever this attempt was granted, also if it has lapsed.
-- KEYS: the lease.   ARGV: attempt, channel.
local record, _, attempt, _, seen = read(KEYS[1])
if record and attempt == ARGV[1] and not is_released(record) then
    local now = math.max(clock, seen)
    redis.call('SET', KEYS[1], struct.pack('>ddd', now, now, 0) .. 'r' .. string.sub(record, 26))
    redis.pcall('PUBLISH', ARGV[2], '')
end
return 1
