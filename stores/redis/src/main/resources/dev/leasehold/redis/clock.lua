-- The server's clock, in front of every step of a lease, in microseconds since 1970: exact in a Lua number until the year 2255.
--
-- These scripts are the whole cost of a step, and Redis runs one at a time. What they cost is mostly the commands they call,
-- the values that go in and out, and the texts that are made on the way, numbers written out above all. So a lease is one
-- string with its numbers in binary, see record.lua, and what every step does is written in one go, without functions.

local call = redis.call
local time = call('TIME')
local clock = time[1] * 1000000 + time[2]
