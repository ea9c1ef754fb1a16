-- KEYS: entries. Returns for each the server's clock, the version and the value, as register-read does; no version for an entry
-- that is gone.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local readings = {}
for i, key in ipairs(KEYS) do
    local entry = redis.call('HMGET', key, 'version', 'value', 'at')
    readings[i] = {string.format('%.0f', math.max(now, tonumber(entry[3] or 0))), entry[1], entry[2]}
end
return readings
