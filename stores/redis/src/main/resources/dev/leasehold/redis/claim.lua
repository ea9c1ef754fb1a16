-- The request. Runs before acquire.lua and intervene.lua, and answers a retry of a request that was granted.
-- ARGV: attempt and a blank, length of the holder, a blank and holder, ttl; the ninth is r if the name is free afterwards.
local attempt, holder, ttl, state = ARGV[1], ARGV[2], ARGV[3] + 0, ARGV[9] == 'r' and 114 or 104

if record and string.find(record, attempt, 47, true) == 47 then
    if state == 114 then
        -- A retried operator action must not raise the token twice.
        return {'granted', math.max(0, deadline - now), string.sub(record, 27)}
    end
    -- The reply to this attempt was lost, or the client polls again: the same grant while it lasts, never a second one.
    if flag == 114 or deadline <= now then
        return {'spent'}
    end
    -- The deadline only moves forward.
    if now + ttl > deadline then
        deadline, term = now + ttl, ttl
    end
    call('SETRANGE', key, '0', struct.pack('>ddd', deadline, now, term))
    return {'granted', deadline - now, string.sub(record, 27)}
end
