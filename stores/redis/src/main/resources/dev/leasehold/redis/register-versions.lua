-- KEYS: entries. Returns their versions; false for an entry that is gone.
local versions = {}
for i, entry in ipairs(KEYS) do
    versions[i] = redis.call('HGET', entry, 'version')
end
return versions
