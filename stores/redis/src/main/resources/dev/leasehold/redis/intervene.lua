-- An operator's move, whatever the deadline says; transfer.lua follows. The keys and arguments of acquire.lua, and behind them
-- kind, above, note, 1 if the name is free afterwards, channel.
local attempt, holder, ttl = ARGV[1], ARGV[2], ARGV[3]
local now, now_text = clock, clock_text
local reason, above, note, leave_free, channel = ARGV[6], ARGV[7], ARGV[8], ARGV[9] == '1', ARGV[10]

local lease = redis.call('HMGET', KEYS[1], 'token', 'attempt', 'released', 'deadline', 'seen')
local before = lease[1]
local base = before or '0'
if before then
    if tonumber(lease[5]) > clock then
        now, now_text = tonumber(lease[5]), lease[5]
    end
    if lease[2] == attempt then
        -- A retried move must not raise twice.
        if leave_free then
            return {'granted', whole(math.max(0, lease[4] - now)), redis.call('HGET', KEYS[1], 'owner')}
        end
        return replay(KEYS[1], lease[3], tonumber(lease[4]), now, now_text, ttl)
    end
end
if #base < #above or (#base == #above and base < above) then
    base = above
end
local token = next_token(base)
