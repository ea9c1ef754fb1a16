-- An operator's action, regardless of the deadline; transfer.lua follows. KEYS and ARGV: as for acquire.lua with a name that
-- may be new, then kind and a blank, the token to raise the counter above, note, r if the name is free afterwards or h, and
-- the only token that may be replaced, zero for any.
local reason, note = ARGV[6], ARGV[8]

local only_upper, only_lower = struct.unpack('>I4I4', ARGV[10])
if (only_upper > 0 or only_lower > 0) and not (record and only_upper == upper and only_lower == lower) then
    return {'moved', record and string.sub(record, 27)}
end

local above_upper, above_lower = struct.unpack('>I4I4', ARGV[7])
if above_upper > upper or (above_upper == upper and above_lower > lower) then
    upper, lower = above_upper, above_lower
end
