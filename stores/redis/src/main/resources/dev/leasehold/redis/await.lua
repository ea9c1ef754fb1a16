-- Whoever listens for a name says so in its record, or nobody would tell it.   KEYS: the lease.
if record and waited == 0 then
    call('SETRANGE', key, '25', '\1')
end
return 1
