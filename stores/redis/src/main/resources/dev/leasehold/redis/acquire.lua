-- Decides; what follows in transfer.lua is done only if the name is free.
-- KEYS: lease, history, index of names, store id.   ARGV: attempt, holder, ttl, name, store id.
local attempt, holder, ttl = ARGV[1], ARGV[2], ARGV[3]
local now, now_text = clock, clock_text
local token, reason, note, leave_free, channel = '1', 'first', '', false, nil

local lease = redis.call('HMGET', KEYS[1], 'token', 'attempt', 'released', 'deadline', 'seen')
local before = lease[1]
if before then
    local deadline, seen = tonumber(lease[4]), tonumber(lease[5])
    -- Store time never runs backwards: a clock that was set back must not make an old deadline count again.
    if seen > clock then
        now, now_text = seen, lease[5]
    end
    if lease[2] == attempt then
        return replay(KEYS[1], lease[3], deadline, now, now_text, ttl)
    end
    if deadline > now then
        local more = redis.call('HMGET', KEYS[1], 'owner', 'term')
        -- Further ahead than it was ever set: the clock jumped back, and waiting for it would take as long as the jump. One
        -- term from now covers whatever the holder still trusts. A tenth is left to clocks that differ after a failover.
        if seen > clock and deadline > clock + more[2] + math.floor(more[2] / 10) then
            deadline, now = clock + more[2], clock
            redis.call('HSET', KEYS[1], 'deadline', whole(deadline), 'seen', clock_text)
        end
        return {'busy', whole(deadline - now), more[1]}
    end
    -- The next token even for the same holder: a restarted run is a new owner.
    token = next_token(before)
    reason = lease[3] == '1' and 'released' or 'expired'
end
