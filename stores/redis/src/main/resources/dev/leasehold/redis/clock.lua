-- The server's clock, the first part of every script of a lease, in microseconds since 1970. Exact in a Lua number until
-- the year 2255.
--
-- These scripts are the whole cost of a step, and Redis runs one at a time. Most of the cost is in the commands they call,
-- the values they pass, and the strings they create, above all formatted numbers. So a lease is one string with binary
-- numbers, see record.lua, and the common code is inlined, without functions.

local call = redis.call
local time = call('TIME')
local clock = time[1] * 1000000 + time[2]
