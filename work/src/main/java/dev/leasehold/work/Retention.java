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
 * Removes items that have been done for long, a few at a time. Each completion does a small part of a pass over the items of
 * its name, and passes begin half a retention apart: the work of one completion is bounded, and an item is looked at only
 * two or three times in its life.
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

    /** How far a pass has come. After the last item it is nowhere, until the next one begins. */
    private record Pass(Instant began, String after) {
        static Pass parse(String text) {
            Fields fields = Fields.parse(HEADER, text);
            return new Pass(fields.requireInstant("began"), fields.require("after"));
        }

        String format() {
            return new Fields(HEADER).put("began", began).put("after", after).format();
        }
    }

    /** Housekeeping: if it cannot be done now, the next completion does it. */
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

    /** Removes all that are old enough now, of one name or of all; how many that were. */
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

    /** Only if nobody touched it since it was read; never while it runs, and not before its effects were delivered. */
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
