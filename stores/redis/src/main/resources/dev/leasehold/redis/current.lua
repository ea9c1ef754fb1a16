-- What a grant shows is the beginning of the line of its transfer: 'token attempt ', or 'token ' where the attempt is unknown.
-- A stale one changes nothing.

local function why_not(record, proof)
    local token = string.match(proof, '^%d+')
    -- The form of a record, see record.lua.
    local known = string.match(record, '^[hr](%d+) %S+ %d+%.%d+ %l+ %d+ ', 25)
    if not known then
        error('LEASEHOLD-FOREIGN')
    end
    if known == token then
        return {'forgotten', 'twin'}
    end
    -- Compared as text, see tokens.lua.
    if #known < #token or (#known == #token and known < token) then
        return {'forgotten', 'unissued'}
    end
    return {'superseded', string.sub(record, 26)}
end

-- The deadline, store time and term if the grant is current; else nil and why not.
local function current(record, proof)
    if not record then
        return nil, {'forgotten', 'unissued'}
    end
    if string.sub(record, 26, 25 + #proof) ~= proof then
        return nil, why_not(record, proof)
    end
    local deadline, seen, term = struct.unpack('>ddd', record)
    if string.byte(record, 25) == 114 then
        return nil, {'released', seen}
    end
    -- Store time never runs backwards.
    if seen < clock then
        seen = clock
    end
    if deadline <= seen then
        return nil, {'lapsed', deadline}
    end
    return deadline, seen, term
end
