package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.CompletedNames;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * {@code leasehold known-names}: the names that completion offers, one per line. It runs while a user types, so it reports no
 * error, and a store that hangs delays it by a bounded time.
 */
final class KnownNamesCommand implements Command {
    static final String NAME = CompletedNames.COMMAND;

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** More than a user reads. */
    private static final int LIMIT = 1000;

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(NAME, "print names of the store, for completion")
                .description("Prints the names of leases, of jobs or of keys of a store, for completion in a shell.")
                .withoutJson("only completion scripts call this command, and they read lines")
                .positional(Positional.of(CompletedNames.KINDS, Kind.CHOICE))
                .example("leasehold known-names leases");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        String kind = invocation.arguments().positionals().get(0);
        Queue<String> found = new ConcurrentLinkedQueue<>();
        Thread reader = new Thread(() -> read(invocation, kind, found), "names");
        reader.setDaemon(true);
        reader.start();
        reader.join(PATIENCE.toMillis());
        for (String name : found) {
            // A damaged store may hold any bytes, and a line break would make two names of one.
            if (SafeText.escape(name).equals(name)) {
                invocation.console().print(name);
            }
        }
        return ExitCode.OK;
    }

    private static List<LeaseName> jobs(LeaseStore store) {
        List<LeaseName> names = new ArrayList<>();
        Iterator<LeaseName> all = new JobRecords(store.register()).all().iterator();
        while (names.size() < LIMIT && all.hasNext()) {
            names.add(all.next());
        }
        return names;
    }

    @SuppressWarnings("CatchingUnchecked")
    private static void read(Invocation invocation, String kind, Queue<String> found) {
        try (LeaseStore store = invocation.openStoreToReadQuietly()) {
            List<?> names =
                    switch (kind) {
                        case CompletedNames.JOBS -> jobs(store);
                        case CompletedNames.KEYS ->
                            WorkLedger.over(store).ids(null, null, LIMIT).stream()
                                    .map(id -> id.key())
                                    .distinct()
                                    .toList();
                        default -> store.names("", "", LIMIT);
                    };
            names.forEach(name -> found.add(name.toString()));
        } catch (Exception | LinkageError unknown) {
            // There is nothing to offer. The command that the user completes reports the reason.
        }
    }
}
