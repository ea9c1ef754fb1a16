-- The deadline, and store time as number and text, if the grant is current; else nil and why not. A stale grant changes
-- nothing. An empty attempt contradicts nothing.
local function current(key, token, attempt)
    local lease = redis.call('HMGET', key, 'token', 'attempt', 'released', 'deadline', 'seen')
    local known = lease[1]
    if known ~= token then
        -- Compared as text, see tokens.lua.
        if not known or #known < #token or (#known == #token and known < token) then
            return nil, {'forgotten', 'unissued'}
        end
        return nil, {'superseded', redis.call('HGET', key, 'owner')}
    end
    if attempt ~= '' and attempt ~= lease[2] then
        return nil, {'forgotten', 'twin'}
    end
    if lease[3] == '1' then
        return nil, {'released', lease[5]}
    end
    local deadline, now, now_text = tonumber(lease[4]), clock, clock_text
    -- Store time never runs backwards.
    if tonumber(lease[5]) > clock then
        now, now_text = tonumber(lease[5]), lease[5]
    end
    if deadline <= now then
        return nil, {'lapsed', lease[4]}
    end
    return deadline, now, now_text
end
