-- An operator's move, whatever the deadline says; transfer.lua follows. The keys and arguments of acquire.lua for a name that
-- may be new, and behind them kind and a blank, the token to lift the counter above, note, r if the name is free afterwards or h.
local reason, note = ARGV[6], ARGV[8]

local above_upper, above_lower = struct.unpack('>I4I4', ARGV[7])
if above_upper > upper or (above_upper == upper and above_lower > lower) then
    upper, lower = above_upper, above_lower
end
