-- Decides; what follows in transfer.lua is done only if the name is free.
-- KEYS: lease, history; and for a name that may be new: index of names, store id.
-- ARGV: attempt, length of the holder and holder, ttl; and for a name that may be new: name, store id.
local attempt, holder, ttl = ARGV[1], ARGV[2], ARGV[3]
local now, token, reason, note, flag, channel = clock, '1', 'first', '', 'h', nil

local record, before, other, deadline, seen, term = read(KEYS[1])
if record then
    -- Store time never runs backwards: a clock that was set back must not make an old deadline count again.
    if seen > now then
        now = seen
    end
    if other == attempt then
        return replay(KEYS[1], record, now, ttl)
    end
    if deadline > now then
        -- Further ahead than it was ever set: the clock jumped back, and waiting for it would take as long as the jump. One
        -- term from now covers whatever the holder still trusts. A tenth is left to clocks that differ after a failover.
        if seen > clock and deadline > clock + term + math.floor(term / 10) then
            deadline, now = clock + term, clock
            redis.call('SET', KEYS[1], struct.pack('>ddd', deadline, now, term) .. string.sub(record, 25))
        end
        return {'busy', deadline - now, string.sub(record, 26)}
    end
    -- The next token even for the same holder: a restarted run is a new owner.
    token = next_token(before)
    reason = is_released(record) and 'released' or 'expired'
elseif not KEYS[3] then
    -- Most names are not new, so what a new one needs is only sent when asked for.
    return false
end
