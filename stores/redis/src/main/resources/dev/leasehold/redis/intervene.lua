-- An operator's move, whatever the deadline says; transfer.lua follows. The keys and arguments of acquire.lua for a name that
-- may be new, and behind them kind and a blank, the token to lift the counter above, note, r if the name is free afterwards or h,
-- and the only token that may be replaced, zero for any.
local reason, note = ARGV[6], ARGV[8]

local only_upper, only_lower = struct.unpack('>I4I4', ARGV[10])
if (only_upper > 0 or only_lower > 0) and not (record and only_upper == upper and only_lower == lower) then
    return {'moved', record and string.sub(record, 27)}
end

local above_upper, above_lower = struct.unpack('>I4I4', ARGV[7])
if above_upper > upper or (above_upper == upper and above_lower > lower) then
    upper, lower = above_upper, above_lower
end
