package dev.leasehold.cli.store;

import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.function.Function;

/** Counts what a store has, by its names alone, so that a long command can show how much is left. */
final class StoreSize {
    private static final int PAGE = 1000;

    private final LeaseStore store;
    private final Console console;
    private final Interruption interruption;

    StoreSize(LeaseStore store, Console console, Interruption interruption) {
        this.store = store;
        this.console = console;
        this.interruption = interruption;
    }

    /** @throws Interruption.Requested if the program is interrupted */
    long leases() {
        return count("leases counted", after -> store.names("", after, PAGE));
    }

    /** @throws Interruption.Requested if the program is interrupted */
    long records() {
        return count("records counted", after -> store.register().keys("", after, PAGE));
    }

    private long count(String what, Function<String, List<?>> pages) {
        try (ProgressBar progress = new ProgressBar(console, what, 0)) {
            long count = 0;
            String last = "";
            List<?> names;
            do {
                interruption.check();
                names = pages.apply(last);
                count += names.size();
                last = names.isEmpty() ? last : names.get(names.size() - 1).toString();
                progress.accept(count);
            } while (names.size() == PAGE);
            return count;
        }
    }
}
