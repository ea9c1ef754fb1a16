-- A lease is a string that is never deleted and never expires: the counter must outlive the holder.
--   8 bytes     deadline: when it may be given away, in microseconds of store time (a double, big-endian, like the next two)
--   8 bytes     seen: the latest store time written here; store time never runs below it
--   8 bytes     term: how far ahead the deadline was last set
--   h or r      held, or released by its owner
--   the rest    the latest transfer, the same line that history keeps: token, attempt, time (seconds, a point, microseconds),
--               reason, length of the holder, then holder and note, which may contain anything, without a gap

local function read(key)
    local record = redis.call('GET', key)
    if not record then
        return nil
    end
    local token, attempt = string.match(record, '^[hr](%d+) (%S+) %d+%.%d+ %l+ %d+ ', 25)
    if not token then
        error('LEASEHOLD-FOREIGN')
    end
    return record, token, attempt, struct.unpack('>ddd', record)
end

local function is_released(record)
    return string.byte(record, 25) == 114
end
