-- KEYS: the lease.   ARGV: proof; and, if either is not zero, the minimum hold and the window for those that wait.
local key = KEYS[1]
local record = call('GET', key)
local deadline, now, _, waited = current(record, ARGV[1])
if not deadline then
    return now
end
-- Expire, do not delete: the token must outlive the holder.
local free_at, hold = now, 0
if ARGV[2] then
    hold = ARGV[2] + 0
    local granted = struct.unpack('>d', record, 31)
    -- If the clock was set back after the grant, the hold counts from now.
    free_at = math.max(now, math.min(now, granted) + hold)
end
-- The message is the token and the window. Publishing is optional, because waiters also poll: a user without the right to
-- publish can still release. The mark stays for the remaining waiters until there is no subscriber.
if waited == 1 and redis.pcall('PUBLISH', key .. channel_end, string.sub(record, 39, 46) .. (ARGV[3] or '')) == 0 then
    waited = 0
end
call('SETRANGE', key, '0', struct.pack('>dddBB', free_at, now, hold, 114, waited))
return 1
