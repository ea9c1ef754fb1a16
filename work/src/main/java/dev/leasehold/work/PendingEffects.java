package dev.leasehold.work;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.List;

/**
 * Finds the items that have effects to be delivered without looking at all the others: a marker beside the item, written
 * <em>before</em> the item is completed and removed when nothing is left, so that a crash at any point leaves a marker too
 * many and never one too few.
 */
final class PendingEffects {
    private static final String MARKER = "work!";
    private static final int MAX_TRIES = 64;

    private final CasRegister register;

    PendingEffects(CasRegister register) {
        this.register = register;
    }

    record Marker(WorkId id, String entry, String version) {}

    /** Written anew even if it is there: whoever found nothing to deliver and is about to remove it must fail to. */
    void announce(WorkId id) {
        String entry = entries(id.name()) + id.key();
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            if (register.compareAndSet(entry, register.read(entry).version(), id.toString())) {
                return;
            }
        }
        throw new StoreUnavailableException(
                "too many writers compete for the effects of work item " + id + "; nothing was changed, try again");
    }

    /** Read it before the item it stands for. */
    List<Marker> of(LeaseName name, String after, int limit) {
        return register.keys(entries(name), after, limit).stream()
                .map(entry -> new Marker(
                        new WorkId(
                                name, WorkKey.of(entry.substring(entries(name).length()))),
                        entry,
                        register.read(entry).version()))
                .toList();
    }

    void remove(Marker marker) {
        register.remove(marker.entry, marker.version);
    }

    private static String entries(LeaseName name) {
        return MARKER + name + "#";
    }
}
