-- KEYS: entry, index of keys.   ARGV: key, expected version.
if ARGV[2] == '' or redis.call('HGET', KEYS[1], 'version') ~= ARGV[2] then
    return 0
end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
