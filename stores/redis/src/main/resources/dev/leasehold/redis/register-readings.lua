-- KEYS: entries. Returns their values; false for an entry that is gone.
local values = {}
for i, entry in ipairs(KEYS) do
    values[i] = redis.call('HGET', entry, 'value')
end
return values
