-- Moves ownership, once acquire.lua or intervene.lua has decided that it may.

-- A name that was never held is also how a Redis looks that lost its data. A client that is still there gives it back its
-- identity, so that fences go on comparing tokens; if somebody else gave it another one, two identities must not mix.
if not record and not redis.call('SET', KEYS[4], ARGV[5], 'NX') and redis.call('GET', KEYS[4]) ~= ARGV[5] then
    return redis.error_reply('LEASEHOLD-OTHERSTORE')
end

local at
if now == clock then
    at = time[1] .. '.' .. time[2]
else
    at = string.format('%d.%d', math.floor(now / 1000000), now % 1000000)
end
local owner = token .. ' ' .. attempt .. ' ' .. at .. ' ' .. reason .. ' ' .. holder .. note
redis.call('SET', KEYS[1], struct.pack('>ddd', now + ttl, now, ttl) .. flag .. owner)
-- At least 64 are kept. Trimmed now and then instead of every time: that spares most grants a call.
if redis.call('RPUSH', KEYS[2], owner) > 128 then
    redis.call('LTRIM', KEYS[2], -64, -1)
end
if not record then
    redis.call('ZADD', KEYS[3], 0, ARGV[4])
end
if channel then
    -- Only a courtesy to waiters, who look again by themselves: a user without the right to publish may still do this.
    redis.pcall('PUBLISH', channel, '')
end
-- The plain line instead of a list: the cheapest answer for the commonest outcome.
return owner
