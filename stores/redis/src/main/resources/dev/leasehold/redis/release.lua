-- KEYS: the lease.   ARGV: token, attempt, minimal hold, channel.
local deadline, now, now_text = current(KEYS[1], ARGV[1], ARGV[2])
if not deadline then
    return now
end
-- Expire, do not delete: the token must outlive the holder.
local free_at = now_text
if ARGV[3] ~= '0' then
    local acquired = string.match(redis.call('HGET', KEYS[1], 'owner'), '^%d+ (%d+) ')
    -- Where the clock was set back after the grant, the hold counts from now.
    free_at = whole(math.max(now, math.min(now, acquired) + ARGV[3]))
end
redis.call('HSET', KEYS[1], 'released', '1', 'deadline', free_at, 'term', ARGV[3], 'seen', now_text)
-- Only a courtesy to waiters, who look again by themselves: a user without the right to publish may still release.
redis.pcall('PUBLISH', ARGV[4], '')
return 1
