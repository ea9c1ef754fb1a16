package dev.leasehold.work;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes old done items, a few at a time. Each completion does a small part of a pass over the
 * items of its name, and passes start half a retention apart. So the cost of one completion is
 * bounded, and an item is read only two or three times in its life.
 */
final class Retention {
    private static final String HEADER = "leasehold sweep 1";
    private static final String ENTRY = "work~";
    private static final int PAGE = 8;
    private static final int LARGE_PAGE = 500;

    private final CasRegister register;
    private final Duration retention;

    Retention(CasRegister register, Duration retention) {
        this.register = register;
        this.retention = retention;
    }

    /** How far a pass has come. {@code after} is empty when the pass is complete. */
    private record Pass(Instant began, String after) {
        static Pass parse(String text) {
            Fields fields = Fields.parse(HEADER, text);
            return new Pass(fields.requireInstant("began"), fields.require("after"));
        }

        String format() {
            return new Fields(HEADER).put("began", began).put("after", after).format();
        }
    }

    /** Housekeeping: if it fails, the next completion does it. */
    void sweep(LeaseName name) {
        try {
            CasRegister.Reading reading = register.read(ENTRY + name);
            Pass pass = reading.value().map(Pass::parse).orElse(new Pass(Instant.EPOCH, ""));
            boolean begins = pass.after.isEmpty();
            if (begins && pass.began.plus(retention.dividedBy(2)).isAfter(reading.at())) {
                return;
            }
            List<String> page = register.keys(WorkText.entries(name), pass.after, PAGE);
            String after = page.size() < PAGE ? "" : page.get(PAGE - 1);
            Pass next = new Pass(begins ? reading.at() : pass.began, after);
            if (register.compareAndSet(ENTRY + name, reading.version(), next.format())) {
                page.forEach(this::prune);
            }
        } catch (StoreUnavailableException | StoreCorruptException | IllegalArgumentException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "old work items were not pruned", e);
        }
    }

    /** Removes all items that are old enough now, of one name or of all. Returns their number. */
    long pruneAll(@Nullable LeaseName name) {
        long pruned = 0;
        String after = "";
        List<String> page;
        do {
            page = register.keys(WorkText.entries(name), after, LARGE_PAGE);
            for (String entry : page) {
                pruned += prune(entry) ? 1 : 0;
                after = entry;
            }
        } while (page.size() == LARGE_PAGE);
        return pruned;
    }

    /**
     * Removes an item if it is done, old, unchanged since it was read, and without pending effects.
     */
    private boolean prune(String entry) {
        CasRegister.Reading reading = register.read(entry);
        if (reading.value().isEmpty()) {
            return false;
        }
        WorkItem item = WorkText.parse(WorkText.idOf(entry), reading.value().get());
        boolean old = !item.since().plus(retention).isAfter(reading.at());
        return item.state() == WorkState.DONE
                && old
                && item.pendingEffects().isEmpty()
                && register.remove(entry, reading.version());
    }
}
