package dev.leasehold.cli.run;

import dev.leasehold.agents.OwnedLeases;
import dev.leasehold.agents.Owner;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.List;

/** {@code leasehold acquire --as ID --path F}: several leases for one owner, all or none. */
final class OwnedAcquire {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Invocation invocation;
    private final Duration ttl;
    private final Duration wait;

    OwnedAcquire(Invocation invocation) {
        this.invocation = invocation;
        this.ttl = SharedOptions.ttl(invocation);
        this.wait = invocation.arguments().duration(AcquireCommand.WAIT, Duration.ZERO);
    }

    int run() throws InterruptedException {
        Arguments arguments = invocation.arguments();
        List<LeaseName> names = OwnedNames.of(arguments);
        if (names.isEmpty()) {
            throw new UsageException("nothing to acquire: give NAME or --path F");
        }
        Ids ids = new SystemIds();
        String id = OwnedNames.id(arguments);
        Holder given = SharedOptions.holder(invocation);
        Holder holder = given == null ? SystemContext.defaultHolder(ids) : given;
        try (LeaseStore store = invocation.openStore()) {
            OwnedLeases leases = new OwnedLeases(store, Owner.of(id == null ? ids.unique() : id), holder, ids, ttl);
            List<OwnedLeases.Claim> claims = claim(leases, names);
            if (claims.get(0) instanceof OwnedLeases.Busy busy) {
                return busy(busy.by());
            }
            for (OwnedLeases.Claim claim : claims) {
                print((OwnedLeases.Held) claim, names.size() > 1, holder);
            }
            return ExitCode.OK;
        }
    }

    /** Holds nothing while it waits, so two callers cannot wait for each other. */
    private List<OwnedLeases.Claim> claim(OwnedLeases leases, List<LeaseName> names) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            List<OwnedLeases.Claim> claims = leases.claimAll(names);
            if (!(claims.get(0) instanceof OwnedLeases.Busy) || System.nanoTime() - deadline >= 0) {
                return claims;
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    private void print(OwnedLeases.Held held, boolean several, Holder holder) {
        String plain = held.grant().token() + (several ? " " + held.grant().name() : "");
        invocation
                .console()
                .print(
                        invocation.json()
                                ? JsonViews.granted(
                                                held.fresh() ? "acquired" : "renewed",
                                                held.grant(),
                                                holder,
                                                held.granted().transfer())
                                        .put("ttlMs", ttl)
                                        .put("expiresInMs", held.granted().remaining())
                                        .toString()
                                : plain);
    }

    private int busy(LeaseSnapshot by) {
        Transfer owner = by.lease().owner();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("outcome", "busy")
                            .put("name", by.lease().name())
                            .put("token", owner.token().value())
                            .put("holder", owner.holder())
                            .put("acquiredAt", owner.at())
                            .put("expiresInMs", by.remaining())
                            .put("note", owner.note())
                            .toString());
        }
        invocation
                .console()
                .say(by.lease().name() + " is busy: held by " + owner.holder() + " (token " + owner.token() + "), "
                        + DurationText.show(by.remaining()) + " left unless renewed, acquired at " + owner.at()
                        + (owner.note() == null ? "" : " (" + owner.reason().word() + ": " + owner.note() + ")")
                        + "; nothing was acquired");
        return ExitCode.BUSY;
    }
}
