-- Releases whatever this attempt was granted, also if it has lapsed: the client gave up.
-- KEYS: the lease.   ARGV: attempt and a blank.
if record and flag == 104 and string.find(record, ARGV[1], 47, true) == 47 then
    if waited == 1 and redis.pcall('PUBLISH', key .. channel_end, string.sub(record, 39, 46)) == 0 then
        waited = 0
    end
    call('SETRANGE', key, '0', struct.pack('>dddBB', now, now, 0, 114, waited))
end
return 1
