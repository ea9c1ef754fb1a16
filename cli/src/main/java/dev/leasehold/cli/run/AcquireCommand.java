package dev.leasehold.cli.run;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code leasehold acquire}: acquires a lease that outlives this process, and prints its token. */
public final class AcquireCommand implements Command {
    static final Option WAIT = Option.of(
            "wait", "D", Kind.DURATION, "keep trying for this long while the lease is busy (default: try once)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("acquire", "acquire a lease and print its token")
                .description(
                        """
                        Acquires the lease if it is free and prints only its token on stdout. The lease outlives this
                        process and lasts until its ttl passes: renew it in time, pass its token to 'leasehold write',
                        and release it at the end. 'leasehold run' does all of this for a single command. Exit 11 if the
                        lease is busy. With --json, the field 'grant' is the whole grant for LEASEHOLD_GRANT, or for
                        'leasehold run --grant', which goes on with it. With --as, the lease belongs to ID: every process
                        that names the same ID acquires it again, which renews it. With --path, the leases are those
                        of files, under the names that 'leasehold agent-hook' uses: all of them are acquired or none,
                        and one line with token and name is printed for each.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TTL)
                .option(WAIT)
                .option(SharedOptions.HOLDER)
                .option(OwnedNames.AS)
                .option(OwnedNames.PATH)
                .example("token=$(leasehold acquire daily-publish --ttl 10m)");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        if (OwnedNames.areMeant(arguments)) {
            return new OwnedAcquire(invocation).run();
        }
        if (arguments.positional(0) == null) {
            throw new UsageException("NAME is missing");
        }
        LeaseName name = arguments.leaseName(0);
        LeaseTerms terms = LeaseTerms.ofTtl(SharedOptions.ttl(invocation));
        Duration wait = arguments.duration(WAIT, Duration.ZERO);
        Holder holder = SharedOptions.holder(invocation);
        LeaseStore store = invocation.openStore();
        Leases.Builder builder = Leases.over(store);
        try (Leases leases = (holder == null ? builder : builder.holder(holder)).build()) {
            AcquireResult attempt = leases.acquireWithin(name, terms, wait);
            if (attempt instanceof AcquireResult.Busy busy) {
                return busy(invocation, name, busy, acquiredAt(store, name, busy));
            }
            return acquired(invocation, ((AcquireResult.Acquired) attempt).held(), leases.holder());
        }
    }

    private static int acquired(Invocation invocation, Lease lease, Holder holder) {
        Grant grant = lease.grant();
        // Trust ends a margin before the deadline in the store, which is when others can acquire
        // the lease.
        Duration expiresIn = lease.remaining().plus(lease.terms().margin());
        invocation
                .console()
                .print(
                        invocation.json()
                                ? JsonViews.granted("acquired", grant, holder, lease.transfer())
                                        .put("ttlMs", lease.terms().ttl())
                                        .put("expiresInMs", expiresIn)
                                        .toString()
                                : grant.token().toString());
        if (invocation.console().out().checkError()) {
            lease.close();
            invocation.console().error("stdout is closed, so the token cannot be printed; the lease was released");
            invocation.console().toldThatAnswerIsLost();
            return ExitCode.UNAVAILABLE;
        }
        lease.detach();
        return ExitCode.OK;
    }

    /** When the holder got the lease; null if it has just lost it. */
    private static @Nullable Instant acquiredAt(LeaseStore store, LeaseName name, AcquireResult.Busy busy) {
        LeaseSnapshot lease = store.inspect(name).orElse(null);
        return lease != null && lease.lease().token().equals(busy.token())
                ? lease.lease().owner().at()
                : null;
    }

    private static int busy(
            Invocation invocation, LeaseName name, AcquireResult.Busy busy, @Nullable Instant acquiredAt) {
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("outcome", "busy")
                            .put("name", name)
                            .put("token", busy.token().value())
                            .put("holder", busy.holder())
                            .put("acquiredAt", acquiredAt)
                            .put("expiresInMs", busy.remaining())
                            .toString());
        }
        invocation.console().say(busyLine(name, busy) + (acquiredAt == null ? "" : ", acquired at " + acquiredAt));
        return ExitCode.BUSY;
    }

    static String busyLine(LeaseName name, AcquireResult.Busy busy) {
        return name + " is busy: held by " + busy.holder() + " (token " + busy.token() + "), "
                + DurationText.show(busy.remaining()) + " left unless renewed";
    }
}
