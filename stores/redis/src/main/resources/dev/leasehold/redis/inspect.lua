-- KEYS: lease and progress of each name. Returns the server's clock, then each record with its progress, or nil.
local answers = {string.format('%.0f', clock)}
for i = 1, #KEYS, 2 do
    local record = call('GET', KEYS[i])
    if record then
        local progress = call('HMGET', KEYS[i + 1], 'token', 'at', 'note', 'checkpoint')
        answers[#answers + 1] = {record, progress[1], progress[2], progress[3], progress[4]}
    else
        answers[#answers + 1] = false
    end
end
return answers
