-- KEYS: the leases.   ARGV: proof and ttl of each. Answers, in order: what remains, or why it is lost.
local records = redis.call('MGET', unpack(KEYS))
local answers, writes, renewed, length = {}, {}, {}, 0
for i = 1, #KEYS do
    local key = KEYS[i]
    -- The same lease may be named twice.
    local record = renewed[key] or records[i]
    local deadline, now = current(record, ARGV[2 * i - 1])
    if deadline then
        local ttl = tonumber(ARGV[2 * i])
        -- Ahead, never back.
        if now + ttl > deadline then
            deadline = now + ttl
            record = struct.pack('>ddd', deadline, now, ttl) .. string.sub(record, 25)
            renewed[key] = record
            writes[length + 1], writes[length + 2] = key, record
            length = length + 2
        end
        answers[i] = deadline - now
    else
        answers[i] = now
    end
end
if length > 0 then
    redis.call('MSET', unpack(writes))
end
return answers
