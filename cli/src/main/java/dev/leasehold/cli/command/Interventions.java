package dev.leasehold.cli.command;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Makes the changes of ownership that an operator forces. */
public final class Interventions {
    private static final int MAX_TRIES = 3;

    /** As many changes of ownership as every store keeps. */
    private static final int RECENT = 50;

    private static final Duration PAUSE = Duration.ofMillis(200);

    private Interventions() {}

    /** Every try uses the same attempt id, so a change whose answer was lost is not made twice. */
    public static Acquisition make(LeaseStore store, Intervention move) throws InterruptedException {
        try {
            return repeated(() -> store.intervene(move));
        } catch (StoreUnavailableException e) {
            if (e.getCause() instanceof IOException refused && Disk.isUnwritable(refused) && !isMade(store, move)) {
                throw new StoreUnavailableException("nothing was changed: " + e.getMessage(), e);
            }
            throw new StoreUnavailableException(
                    "it is unknown whether the token was raised; check 'leasehold history " + move.name() + "': "
                            + e.getMessage(),
                    e);
        }
    }

    /** Also true if that cannot be found out. */
    private static boolean isMade(LeaseStore store, Intervention move) {
        try {
            for (Transfer transfer : store.history(move.name(), RECENT)) {
                if (transfer.attempt().equals(move.attempt())) {
                    return true;
                }
            }
            return false;
        } catch (StoreUnavailableException | StoreCorruptException e) {
            return true;
        }
    }

    /** Repeats a step that the store does not answer. All tries must use the same attempt id. */
    public static <T> T repeated(Supplier<T> step) throws InterruptedException {
        return repeated(MAX_TRIES, PAUSE, step);
    }

    /** The same, with more patience. */
    public static <T> T repeated(int maxTries, Duration pause, Supplier<T> step) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return step.get();
            } catch (StoreUnavailableException e) {
                if (tries == maxTries) {
                    throw e;
                }
                Thread.sleep(pause.toMillis());
            }
        }
    }

    /** An answer that grants nothing, although the token was raised. */
    public static StoreUnavailableException tooLate(Intervention move) {
        return new StoreUnavailableException("the token was raised, but the ttl passed before the answer arrived:"
                + " check 'leasehold history " + move.name() + "' and repeat the command");
    }
}
