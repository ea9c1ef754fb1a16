-- Who asks. A retry of what was granted is answered here, in front of acquire.lua and intervene.lua.
-- ARGV: attempt and a blank, length of the holder, a blank and holder, ttl; the ninth is r if the name is free afterwards.
local attempt, holder, ttl, state = ARGV[1], ARGV[2], ARGV[3] + 0, ARGV[9] == 'r' and 114 or 104

if record and string.find(record, attempt, 47, true) == 47 then
    if state == 114 then
        -- A retried move must not raise twice.
        return {'granted', math.max(0, deadline - now), string.sub(record, 27)}
    end
    -- The reply to this attempt was lost, or it polls once more: the same grant while it lasts, never a second one.
    if flag == 114 or deadline <= now then
        return {'spent'}
    end
    -- Ahead, never back.
    if now + ttl > deadline then
        deadline, term = now + ttl, ttl
    end
    call('SETRANGE', key, '0', struct.pack('>ddd', deadline, now, term))
    return {'granted', deadline - now, string.sub(record, 27)}
end
