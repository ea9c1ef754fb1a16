-- KEYS: the lease.   ARGV: proof, minimal hold, channel.
local record = redis.call('GET', KEYS[1])
local deadline, now = current(record, ARGV[1])
if not deadline then
    return now
end
-- Expire, do not delete: the token must outlive the holder.
local free_at = now
if ARGV[2] ~= '0' then
    local seconds, micros = string.match(record, '^%d+ %S+ (%d+)%.(%d+) ', 26)
    -- Where the clock was set back after the grant, the hold counts from now.
    free_at = math.max(now, math.min(now, seconds * 1000000 + micros) + ARGV[2])
end
redis.call('SET', KEYS[1], struct.pack('>ddd', free_at, now, ARGV[2]) .. 'r' .. string.sub(record, 26))
-- Only a courtesy to waiters, who look again by themselves: a user without the right to publish may still release.
redis.pcall('PUBLISH', ARGV[3], '')
return 1
