package dev.leasehold.work;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.Optional;

/**
 * Markers for items with pending effects, so that they can be found without reading all items. A
 * marker is written <em>before</em> the item is completed and removed when no effect is pending. A
 * crash may leave a needless marker, but never loses one.
 */
final class PendingEffects {
    private static final String MARKER = "work!";

    private final CasRegister register;
    private final Contention contention = Contention.system();

    PendingEffects(CasRegister register) {
        this.register = register;
    }

    record Marker(WorkId id, String entry, String version) {}

    /**
     * Writes the marker even if it exists, so that a process that is about to remove it fails to.
     */
    void announce(WorkId id) {
        String entry = entries(id.name()) + id.key();
        contention.resolve("the effects of work item " + id, () -> {
            boolean written = register.compareAndSet(entry, register.read(entry).version(), id.toString());
            return written ? Optional.of(entry) : Optional.empty();
        });
    }

    /** A marker must be read before its item. */
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
