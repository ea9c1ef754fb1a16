package dev.leasehold.cli.jobs;

import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.runlog.RunEntry;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The commands that run under leases of this process: a renewal moves the deadline of the command that runs under it. */
public final class RunningSlots implements LeaseListener {
    /** A command that has ended, and how its lease was renewed. */
    public record Ended(Lease lease, Duration took, RunEntry.Renewals renewals) {}

    private record Begun(CommandHandle handle, Instant at) {}

    private final Console console;
    private final Map<Lease, Begun> running = new ConcurrentHashMap<>();
    private final Map<Slot, Ended> ended = new ConcurrentHashMap<>();
    private final Set<LeaseName> toldLate = ConcurrentHashMap.newKeySet();

    public RunningSlots(Console console) {
        this.console = console;
    }

    public void add(Lease lease, CommandHandle handle) {
        running.put(lease, new Begun(handle, Instant.now()));
    }

    public void remove(Lease lease, Slot slot) {
        Begun command = running.remove(lease);
        if (command != null) {
            LeaseTerms terms = lease.terms();
            CommandHandle handle = command.handle();
            RunEntry.Renewals renewals =
                    new RunEntry.Renewals(terms.ttl(), terms.heartbeat(), handle.renewals(), handle.longestGap());
            ended.put(slot, new Ended(lease, Duration.between(command.at(), Instant.now()), renewals));
        }
    }

    /** The last command of a slot that has ended; told once, null if there was none here. */
    @Nullable
    public Ended takeEnded(Slot slot) {
        return ended.remove(slot);
    }

    /** Passes a signal on to all of them; if there are none, does something else. */
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
        if (late != null && toldLate.add(lease.grant().name())) {
            console.say(late);
        }
    }
}
