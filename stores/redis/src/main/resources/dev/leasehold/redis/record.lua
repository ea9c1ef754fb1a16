-- A lease is a string that never expires: the counter must outlive the holder. Only forget.lua removes it. Numbers are
-- big-endian, times are doubles that count microseconds.
--   8 bytes     deadline: when the lease may change hands, in store time
--   8 bytes     seen: the latest store time written here; store time never runs behind it
--   8 bytes     term: how far ahead the deadline was last set
--   h or r      held, or released by its owner
--   1 byte      1 if a client may be waiting, see release.lua
--   the rest    the latest transfer, in the format of the history:
--     4 bytes   the length of the transfer, these four included
--     8 bytes   when it happened
--     8 bytes   the token, its upper and its lower half: a Lua number is exact only up to 2^53, and tokens go up to 2^63 - 1
--     text      attempt, reason and length of the holder, each followed by a blank; then holder and note, in any characters

local key = KEYS[1]
local record = call('GET', key)
local deadline, seen, term, flag, waited, length, at, upper, lower = 0, 0, 0, 0, 0, 0, 0, 0, 0
local now = clock
if record then
    if #record < 46 then
        error('LEASEHOLD-FOREIGN')
    end
    deadline, seen, term, flag, waited, length, at, upper, lower = struct.unpack('>dddBBI4dI4I4', record)
    if length ~= #record - 26 or (flag ~= 104 and flag ~= 114) then
        error('LEASEHOLD-FOREIGN')
    end
    -- Store time never runs backwards: a clock that was set back must not revive an old deadline.
    if seen > now then
        now = seen
    end
end
