-- Binds a fence to the store of a grant that is above every token it has seen. fence.lua precedes this script.
-- KEYS: fence.   ARGV: name, token, attempt, store.
local f = redis.call('HMGET', KEYS[1], 'name', 'store', 'raised', 'attempt', 'once', 'digest')
if not f[1] then
    return {'absent'}
end
for i = 1, 6 do
    f[i] = f[i] or ''
end
if f[1] ~= ARGV[1] or not leasehold_is_below(f[3], ARGV[2]) then
    return {'refused', f[1], f[2], f[3], f[4], f[5], f[6]}
end
redis.call('HSET', KEYS[1], 'store', ARGV[4], 'raised', ARGV[2], 'attempt', ARGV[3])
return {'admitted'}
