-- Decides; what follows in transfer.lua is done only if the name is free.
-- KEYS: lease, history; and for a name that may be new: index of names, store id.
-- ARGV: those of claim.lua; and for a name that may be new: name, store id.
local reason, note = 'first ', ''

if record then
    if deadline > now then
        -- Further ahead than it was ever set: the clock jumped back, and waiting for it would take as long as the jump. One
        -- term from now covers whatever the holder still trusts. A tenth is left to clocks that differ after a failover.
        if seen > clock and deadline > clock + term + math.floor(term / 10) then
            deadline, now = clock + term, clock
            call('SETRANGE', key, '0', struct.pack('>dd', deadline, now))
        end
        return {'busy', deadline - now, string.sub(record, 27)}
    end
    reason = flag == 114 and 'released ' or 'expired '
elseif not KEYS[3] then
    -- Most names are not new, so what a new one needs is only sent when asked for.
    return false
end
