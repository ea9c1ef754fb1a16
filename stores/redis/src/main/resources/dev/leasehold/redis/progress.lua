-- KEYS: lease, progress.   ARGV: proof, token, note, checkpoint; an empty text keeps this owner's earlier value.
local deadline, now = current(call('GET', KEYS[1]), ARGV[1])
if not deadline then
    return now
end
-- To save a call, a grant does not clear its predecessor's report. A report counts only while its token is current, and the
-- first report of an owner removes the old one.
local token = ARGV[2]
if call('HGET', KEYS[2], 'token') ~= token then
    call('HDEL', KEYS[2], 'note', 'checkpoint')
end
call('SETRANGE', KEYS[1], '8', struct.pack('>d', now))
call('HSET', KEYS[2], 'token', token, 'at', string.format('%.0f', now))
if ARGV[3] ~= '' then
    call('HSET', KEYS[2], 'note', ARGV[3])
end
if ARGV[4] ~= '' then
    call('HSET', KEYS[2], 'checkpoint', ARGV[4])
end
return 1
