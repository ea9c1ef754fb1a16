-- An operator's move, whatever the deadline says; transfer.lua follows. The keys and arguments of acquire.lua for a name that
-- may be new, and behind them kind, above, note, r if the name is free afterwards or h, channel.
local attempt, holder, ttl = ARGV[1], ARGV[2], ARGV[3]
local reason, above, note, flag = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local channel = flag == 'r' and ARGV[10]
local now = clock

local record, before, other, deadline, seen = read(KEYS[1])
local base = before or '0'
if record then
    if seen > now then
        now = seen
    end
    if other == attempt then
        -- A retried move must not raise twice.
        if flag == 'r' then
            return {'granted', math.max(0, deadline - now), string.sub(record, 26)}
        end
        return replay(KEYS[1], record, now, ttl)
    end
end
if #base < #above or (#base == #above and base < above) then
    base = above
end
local token = next_token(base)
