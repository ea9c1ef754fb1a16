-- Removes the records of free names, and raises the floor under the tokens of new names to theirs.
-- KEYS: store id, floor, index of names; then lease, history and progress of each name.
-- ARGV: store id; then token and name of each. Returns one number for each name: 0 absent, 1 forgotten, 2 kept.
local id = call('GET', KEYS[1])
if id and id ~= ARGV[1] then
    return redis.error_reply('LEASEHOLD-OTHERSTORE')
end
local floor = call('GET', KEYS[2])
local upper, lower = 0, 0
if floor then
    upper, lower = struct.unpack('>I4I4', floor)
end
local answers = {}
for i = 1, (#ARGV - 1) / 2 do
    local key, token, name = KEYS[3 * i + 1], ARGV[2 * i], ARGV[2 * i + 1]
    local record = call('GET', key)
    answers[i] = record and 2 or 0
    if record and #record >= 46 and struct.unpack('>I4', record, 27) == #record - 26 then
        local deadline, seen = struct.unpack('>dd', record)
        if deadline <= math.max(clock, seen) and string.sub(record, 39, 46) == token then
            local token_upper, token_lower = struct.unpack('>I4I4', token)
            if token_upper > upper or (token_upper == upper and token_lower > lower) then
                upper, lower = token_upper, token_lower
                call('SET', KEYS[2], token)
            end
            call('ZREM', KEYS[3], name)
            call('DEL', key, KEYS[3 * i + 2], KEYS[3 * i + 3])
            answers[i] = 1
        end
    end
end
return answers
