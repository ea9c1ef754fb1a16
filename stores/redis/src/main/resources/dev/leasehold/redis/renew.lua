-- KEYS: the leases, each once.   ARGV: the proof of each; then one ttl for all, or the ttl of each.
-- Returns only the exceptions, as pairs of a request's number and an answer: the remaining time if it is more than the ttl,
-- or the reason of the loss.
local keys, proofs, count = KEYS, ARGV, #KEYS
local records = call('MGET', unpack(keys))
local answers, writes, written = {}, {}, 0
local same = #proofs == count + 1
local ttl = proofs[count + 1] + 0
for i = 1, count do
    local record = records[i]
    local deadline, now = current(record, proofs[i])
    if not same then
        ttl = proofs[count + i] + 0
    end
    if not deadline then
        answers[#answers + 1] = i
        answers[#answers + 1] = now
    elseif now + ttl > deadline then
        writes[written + 1], writes[written + 2] = keys[i], struct.pack('>ddd', now + ttl, now, ttl) .. string.sub(record, 25)
        written = written + 2
    else
        -- The deadline only moves forward.
        answers[#answers + 1] = i
        answers[#answers + 1] = deadline - now
    end
end
if written > 0 then
    call('MSET', unpack(writes))
end
return answers
