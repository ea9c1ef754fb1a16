package dev.leasehold.work;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.Optional;

/**
 * Finds the items that have effects to be delivered without looking at all the others: a marker beside the item, written
 * <em>before</em> the item is completed and removed when nothing is left, so that a crash at any point leaves a marker too
 * many and never one too few.
 */
final class PendingEffects {
    private static final String MARKER = "work!";

    private final CasRegister register;
    private final Contention contention = Contention.system();

    PendingEffects(CasRegister register) {
        this.register = register;
    }

    record Marker(WorkId id, String entry, String version) {}

    /** Written anew even if it is there: whoever found nothing to deliver and is about to remove it must fail to. */
    void announce(WorkId id) {
        String entry = entries(id.name()) + id.key();
        contention.resolve("the effects of work item " + id, () -> {
            boolean written =
                    register.compareAndSet(entry, register.read(entry).version(), id.toString());
            return written ? Optional.of(entry) : Optional.empty();
        });
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
