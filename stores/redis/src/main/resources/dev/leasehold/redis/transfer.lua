-- Transfers ownership after acquire.lua or intervene.lua has decided.

-- A new name can also mean that Redis lost its data. A client that is still connected restores the store id, so that fences
-- go on comparing tokens. If another client has created a new id meanwhile, the two must not mix.
if not record and not call('SET', KEYS[4], ARGV[5], 'NX') and call('GET', KEYS[4]) ~= ARGV[5] then
    return redis.error_reply('LEASEHOLD-OTHERSTORE')
end
-- A name without a record may have been forgotten: its tokens are at most the floor.
local floor = not record and call('GET', KEYS[5])
if floor then
    local floor_upper, floor_lower = struct.unpack('>I4I4', floor)
    if floor_upper > upper or (floor_upper == upper and floor_lower > lower) then
        upper, lower = floor_upper, floor_lower
    end
end

-- The token rises even for the same holder: a restarted run is a new owner.
lower = lower + 1
if lower == 4294967296 then
    upper, lower = upper + 1, 0
    if upper == 2147483648 then
        error('LEASEHOLD-EXHAUSTED')
    end
end
local history = KEYS[2]
local transfer = struct.pack('>I4dI4I4', 20 + #attempt + #reason + #holder + #note, now, upper, lower)
    .. attempt .. reason .. holder .. note

-- The history is a list of transfers, preceded by four bytes with the offset of the newer half. Every 64 tokens the older
-- half is removed. So at least 64 transfers are kept, and a grant costs one short call.
if lower % 64 == 0 then
    local head = call('GETRANGE', history, '0', '3')
    if #head == 4 then
        local younger = call('GETRANGE', history, struct.unpack('>I4', head), '-1')
        call('SET', history, struct.pack('>I4', 4 + #younger) .. younger)
    end
end
if call('APPEND', history, transfer) == #transfer then
    call('SET', history, '\0\0\0\4' .. transfer)
end

if state == 114 and waited == 1 and redis.pcall('PUBLISH', key .. channel_end, struct.pack('>I4I4', upper, lower)) == 0 then
    waited = 0
end
call('SET', key, struct.pack('>dddBB', now + ttl, now, ttl, state, waited) .. transfer)
if not record then
    call('ZADD', KEYS[3], 0, ARGV[4])
end
-- Returns the transfer alone instead of a list: the cheapest answer for the most common outcome.
return transfer
