-- The proof of a grant is a part of its transfer: token, attempt and a blank, or the token alone if the attempt is unknown.

-- Returns the deadline, store time, term and the mark of waiters if the grant is current, else nil and the reason.
local function current(record, proof)
    if not record then
        return nil, {'missing', ''}
    end
    -- Most grants are current, and this check creates no strings.
    if string.find(record, proof, 39, true) ~= 39 then
        if #record < 46 or struct.unpack('>I4', record, 27) ~= #record - 26 then
            error('LEASEHOLD-FOREIGN')
        end
        local upper, lower = struct.unpack('>I4I4', record, 39)
        local shown_upper, shown_lower = struct.unpack('>I4I4', proof)
        if upper == shown_upper and lower == shown_lower then
            return nil, {'forgotten', 'twin'}
        end
        if upper < shown_upper or (upper == shown_upper and lower < shown_lower) then
            return nil, {'forgotten', 'unissued'}
        end
        return nil, {'superseded', string.sub(record, 27)}
    end
    local deadline, seen, term, flag, waited = struct.unpack('>dddBB', record)
    if flag == 114 then
        return nil, {'released', seen}
    end
    -- Store time never runs backwards.
    if seen < clock then
        seen = clock
    end
    if deadline <= seen then
        return nil, {'lapsed', deadline}
    end
    return deadline, seen, term, waited
end
