-- KEYS: fence, target.   ARGV: name, token, attempt, store, digest ('' unless it is to happen once), kind, values...
local name, token, attempt, store, digest, kind = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local fence, refused = leasehold_check(KEYS[1], name, token, attempt, store, digest)
if refused then
    return refused
end
-- The write comes first: if the target is of another type it fails, and the one write of this grant is not used up.
if kind == 'string' then
    redis.call('SET', KEYS[2], ARGV[7])
elseif kind == 'fields' then
    -- In slices, because a Lua call takes a few thousand arguments at most.
    for i = 7, #ARGV, 1000 do
        redis.call('HSET', KEYS[2], unpack(ARGV, i, math.min(i + 999, #ARGV)))
    end
end
leasehold_advance(fence, KEYS[1], name, token, attempt, store, digest)
return {'admitted'}
