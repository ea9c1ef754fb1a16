-- Only for scratch names.   KEYS: lease, history, index of names, progress.   ARGV: name.
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('DEL', KEYS[2], KEYS[4])
return redis.call('DEL', KEYS[1])
