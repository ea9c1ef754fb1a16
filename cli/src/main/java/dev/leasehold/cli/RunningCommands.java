package dev.leasehold.cli;

import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.RunEntry;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The commands that run under leases of this process: a renewal moves the deadline of the command that runs under it. */
final class RunningCommands implements LeaseListener {
    private final Map<Lease, CommandHandle> running = new ConcurrentHashMap<>();
    private final Map<String, RunEntry.Renewals> ended = new ConcurrentHashMap<>();

    void add(Lease lease, CommandHandle handle) {
        running.put(lease, handle);
    }

    void remove(Lease lease) {
        CommandHandle handle = running.remove(lease);
        if (handle != null) {
            LeaseTerms terms = lease.terms();
            ended.put(
                    key(lease.grant().name(), lease.grant().token()),
                    new RunEntry.Renewals(terms.ttl(), terms.heartbeat(), handle.renewals(), handle.longestGap()));
        }
    }

    /** How the lease of a command that has ended was renewed; told once. */
    RunEntry.@Nullable Renewals renewalsOf(LeaseName name, FencingToken token) {
        return ended.remove(key(name, token));
    }

    private static String key(LeaseName name, FencingToken token) {
        return name + " " + token;
    }

    /** Passes a signal on to all of them; if there are none, does something else. */
    void signalOr(String name, Runnable otherwise) {
        if (running.isEmpty()) {
            otherwise.run();
        }
        running.values().forEach(handle -> handle.signal(name));
    }

    @Override
    public void renewed(Lease lease, Duration gap) {
        CommandHandle handle = running.get(lease);
        if (handle != null) {
            handle.renewed(lease, gap);
        }
    }
}
