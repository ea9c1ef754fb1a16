-- Makes what was put under other keys a store, in one step, unless there is a store.
-- KEYS: id, and then of the keys that were put: index of names, index of entries, counter of versions.
-- ARGV: the start of all keys, what the keys that were put have after that, the id.
if redis.call('EXISTS', KEYS[1]) == 1 then
    return 0
end
local tag, put = ARGV[1], ARGV[1] .. ARGV[2]

local function take(key)
    if redis.call('EXISTS', put .. key) == 1 then
        redis.call('RENAME', put .. key, tag .. key)
    end
end

for _, name in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    take('lease:' .. name)
    take('history:' .. name)
    take('progress:' .. name)
end
for _, key in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    take('entry:' .. key)
end
take('names')
take('entries')
take('versions')
take('floor')
redis.call('SET', KEYS[1], ARGV[3])
return 1
