package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import org.jspecify.annotations.Nullable;

/** How the records of leases are read from a register and replaced, and what time it is for them. */
interface RecordAccess extends RecordTime {
    CasRegister.Reading read(String key);

    boolean replace(String key, CasRegister.Reading before, String value);

    /** An earlier reading that may still be up to date; null if there is none. */
    CasRegister.@Nullable Reading known(String key);
}
