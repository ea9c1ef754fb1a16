-- Decides whether the name is free. Only then does transfer.lua, which follows, run.
-- KEYS: lease, history; and for a name that may be new: index of names, store id, floor.
-- ARGV: as for claim.lua; and for a name that may be new: name, store id.
local reason, note = 'first ', ''

if record then
    if deadline > now then
        -- The deadline is further ahead than any term sets it, so the clock jumped back. Waiting for it would take as
        -- long as the jump. One term from now covers everything the holder still trusts. The tenth allows for clocks
        -- that differ after a failover.
        if seen > clock and deadline > clock + term + math.floor(term / 10) then
            deadline, now = clock + term, clock
            call('SETRANGE', key, '0', struct.pack('>dd', deadline, now))
        end
        return {'busy', deadline - now, string.sub(record, 27)}
    end
    reason = flag == 114 and 'released ' or 'expired '
elseif not KEYS[3] then
    -- Most names are not new, so the client sends the arguments for a new name only on request.
    return false
end
