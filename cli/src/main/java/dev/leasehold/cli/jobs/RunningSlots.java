package dev.leasehold.cli.jobs;

import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.output.Console;
import dev.leasehold.events.RunEntry;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots that run in this process. A renewal of a lease moves the deadline of the command that
 * runs under it.
 */
public final class RunningSlots implements LeaseListener {
    /** A slot whose command has ended, how its lease was renewed, and the last lines it printed. */
    public record Ended(Lease lease, Duration took, RunEntry.Renewals renewals, List<String> printed) {}

    private record Begun(CommandHandle handle, Instant at) {}

    private final Console console;
    private final Map<Lease, Begun> running = new ConcurrentHashMap<>();
    private final Map<Slot, Ended> ended = new ConcurrentHashMap<>();
    private final Set<LeaseName> warnedNames = ConcurrentHashMap.newKeySet();

    public RunningSlots(Console console) {
        this.console = console;
    }

    public void add(Lease lease, CommandHandle handle) {
        running.put(lease, new Begun(handle, Instant.now()));
    }

    public void remove(Lease lease, Slot slot, List<String> printed) {
        Begun command = running.remove(lease);
        if (command != null) {
            LeaseTerms terms = lease.terms();
            CommandHandle handle = command.handle();
            RunEntry.Renewals renewals =
                    new RunEntry.Renewals(terms.ttl(), terms.heartbeat(), handle.renewals(), handle.longestGap());
            ended.put(slot, new Ended(lease, Duration.between(command.at(), Instant.now()), renewals, printed));
        }
    }

    /** Removes and returns the ended run of a slot; null if this process had none. */
    @Nullable
    public Ended takeEnded(Slot slot) {
        return ended.remove(slot);
    }

    /** Sends a signal to all running commands; runs {@code otherwise} if there are none. */
    public void signalOr(String name, Runnable otherwise) {
        if (running.isEmpty()) {
            otherwise.run();
        }
        running.values().forEach(command -> command.handle().signal(name));
    }

    @Override
    public void renewed(Lease lease, Duration gap) {
        Begun command = running.get(lease);
        if (command != null) {
            command.handle().renewed(lease, gap);
        }
        String late = CommandHandle.lateRenewal(lease.grant().name(), lease.terms(), gap);
        if (late != null && warnedNames.add(lease.grant().name())) {
            console.say(late);
        }
    }
}
