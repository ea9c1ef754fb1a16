-- KEYS: fence, target.   ARGV: name, token, attempt, store, digest ('' unless the write may happen only once), kind, values...
local name, token, attempt, store, digest, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local fence, refused = leasehold_check(KEYS[1], name, token, attempt, store, digest)
if refused then
    return refused
end
-- The write comes first: if the target has another type the write fails, and the grant's one write is not used up.
if kind == 'string' then
    redis.call('SET', KEYS[2], ARGV[7])
elseif kind == 'fields' then
    -- In slices, because a Lua call takes at most a few thousand arguments.
    for i = 7, #ARGV, 1000 do
        redis.call('HSET', KEYS[2], unpack(ARGV, i, math.min(i + 999, #ARGV)))
    end
end
leasehold_advance(fence, KEYS[1], name, token, attempt, store, digest)
return {'admitted'}
