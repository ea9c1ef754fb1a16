-- Marks that a client waits for the name, so that its release is published.   KEYS: the lease.
if record and waited == 0 then
    call('SETRANGE', key, '25', '\1')
end
return 1
