-- The server's clock, in front of every step of a lease: microseconds, as a number to reckon with and as the text that is kept.
--
-- These scripts are the whole cost of a step, and Redis runs one at a time. So they read only the fields they need, make few
-- functions (each is made anew at every run), and write numbers out as seldom as they can.

local time = redis.call('TIME')
-- Exact in a Lua number until the year 2255.
local clock = time[1] * 1000000 + time[2]
local clock_text = time[1] .. string.sub('00000' .. time[2], -6)

-- Lua would write a number of this size with an exponent.
local function whole(number)
    return string.format('%.0f', number)
end
