-- Tokens stay text all the way: Lua's numbers are exact only up to 2^53, and tokens go up to 2^63 - 1.

local function next_token(token)
    if #token < 16 then
        return string.format('%d', token + 1)
    end
    if token == '9223372036854775807' then
        error('LEASEHOLD-EXHAUSTED')
    end
    local head, last, nines = string.match(token, '^(%d*)([0-8])(9*)$')
    return head .. (last + 1) .. string.rep('0', #nines)
end
