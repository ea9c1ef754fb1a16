-- KEYS: the entry. Returns the server's clock, the version and the value. Time does not run behind the latest write.
local time = redis.call('TIME')
local entry = redis.call('HMGET', KEYS[1], 'version', 'value', 'at')
local clock = math.max(time[1] * 1000000 + time[2], tonumber(entry[3] or 0))
return {string.format('%.0f', clock), entry[1], entry[2]}
