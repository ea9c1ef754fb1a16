package dev.leasehold.doctor;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.function.Supplier;

/** Checks that the token outlives its holder and the connection. */
final class TokenSurvival {
    private static final int RECONNECTS = 5;

    private final Supplier<LeaseStore> opener;
    private final Ids ids;
    private final LeaseName name;

    TokenSurvival(Supplier<LeaseStore> opener, Ids ids, LeaseName name) {
        this.opener = opener;
        this.ids = ids;
        this.name = name;
    }

    Finding run() {
        long last = 0;
        for (int i = 0; i < RECONNECTS; i++) {
            try (LeaseStore store = opener.get()) {
                long floor = store.floor();
                Acquisition answer =
                        store.acquire(name, AttemptId.of(ids.unique()), Holder.of("doctor"), Duration.ofMinutes(1));
                if (!(answer instanceof Acquisition.Granted granted)) {
                    return Finding.fault("a lease that was released could not be acquired again");
                }
                long token = granted.grant().token().value();
                if (last == 0 && token <= floor) {
                    return Finding.fault("a new name got token " + token
                            + ", which a forgotten name may have had: the floor" + " is " + floor);
                }
                if (last > 0 && token != last + 1) {
                    return Finding.fault(
                            "after a release and a new connection the token went from " + last + " to " + token);
                }
                last = token;
                store.release(granted.grant(), Duration.ZERO);
            }
        }
        return Finding.good("tokens survived " + RECONNECTS + " releases and reconnects");
    }
}
