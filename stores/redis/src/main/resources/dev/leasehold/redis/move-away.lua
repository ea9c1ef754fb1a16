-- Moves the store away: its keys get other names, and a text that no script accepts takes their place, so that every step of
-- its clients fails. Redis runs the script alone, so no step is half done.
-- KEYS: id, destination, index of names, index of entries, counter of versions, mover.
-- ARGV: the start of all keys, the id that is expected, the text in its place, the URL of the destination, the mover.
if redis.call('GET', KEYS[1]) ~= ARGV[2] then
    return 0
end
local tag = ARGV[1]

local function away(key)
    if redis.call('EXISTS', tag .. key) == 1 then
        redis.call('RENAME', tag .. key, tag .. 'moved:' .. key)
    end
end

local function replace(key)
    away(key)
    redis.call('SET', tag .. key, 'LEASEHOLD-MOVED')
end

-- Otherwise an earlier run has moved the keys.
if not string.find(ARGV[2], ' ', 1, true) then
    for _, name in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
        replace('lease:' .. name)
        replace('history:' .. name)
        away('progress:' .. name)
    end
    for _, key in ipairs(redis.call('ZRANGE', KEYS[4], 0, -1)) do
        replace('entry:' .. key)
    end
    replace('names')
    replace('entries')
    away('versions')
    away('floor')
    -- Not a text: counting it up must fail before anything is written.
    redis.call('HSET', KEYS[5], 'moved', 1)
end
redis.call('SET', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
-- Whoever came before may not go on.
redis.call('SET', KEYS[6], ARGV[5])
return 1
