-- KEYS: entry, index of keys, counter of versions.   ARGV: key, expected version ('' if there must be none), value.
if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[2] then
    return 0
end
-- The version combines one counter for all keys, so that a removed key does not reuse an old version, and the time, so that
-- a Redis that lost data does not either.
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000000 + time[2])
local version = string.format('%.0f', redis.call('INCR', KEYS[3])) .. '-' .. at
redis.call('HSET', KEYS[1], 'version', version, 'value', ARGV[3], 'at', at)
if ARGV[2] == '' then
    redis.call('ZADD', KEYS[2], 0, ARGV[1])
end
return 1
