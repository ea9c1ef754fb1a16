-- The reply to this attempt was lost, or it polls once more: the same grant while it lasts, never a second one.
local function replay(key, released, deadline, now, now_text, ttl)
    if released == '1' or deadline <= now then
        return {'spent'}
    end
    -- Ahead, never back.
    if now + ttl > deadline then
        deadline = now + ttl
        redis.call('HSET', key, 'deadline', whole(deadline), 'term', ttl, 'seen', now_text)
    else
        redis.call('HSET', key, 'seen', now_text)
    end
    return {'granted', whole(deadline - now), redis.call('HGET', key, 'owner')}
end
