-- The reply to this attempt was lost, or it polls once more: the same grant while it lasts, never a second one.
local function replay(key, record, now, ttl)
    local deadline, _, term = struct.unpack('>ddd', record)
    if is_released(record) or deadline <= now then
        return {'spent'}
    end
    -- Ahead, never back.
    if now + ttl > deadline then
        deadline, term = now + ttl, ttl
    end
    redis.call('SET', key, struct.pack('>ddd', deadline, now, term) .. string.sub(record, 25))
    return {'granted', deadline - now, string.sub(record, 26)}
end
