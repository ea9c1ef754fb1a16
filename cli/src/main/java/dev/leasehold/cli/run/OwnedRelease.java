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
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.Optional;

/** {@code leasehold release --as ID}: releases leases of an owner. */
final class OwnedRelease {
    private static final int PAGE = 500;

    private final Invocation invocation;

    OwnedRelease(Invocation invocation) {
        this.invocation = invocation;
    }

    int run() {
        Arguments arguments = invocation.arguments();
        String id = OwnedNames.id(arguments);
        if (id == null) {
            throw new UsageException("--path needs --as ID, which says whose lease to release");
        }
        if (arguments.has(SharedOptions.TOKEN)) {
            throw new UsageException("--as and --token exclude each other");
        }
        List<LeaseName> names = OwnedNames.of(arguments);
        try (LeaseStore store = invocation.openStore()) {
            OwnedLeases leases =
                    new OwnedLeases(store, Owner.of(id), Holder.of("release"), new SystemIds(), LeaseTerms.DEFAULT_TTL);
            return names.isEmpty() ? all(store, leases) : named(leases, names);
        }
    }

    private int named(OwnedLeases leases, List<LeaseName> names) {
        int code = ExitCode.OK;
        for (LeaseName name : names) {
            Optional<Grant> released = leases.release(name);
            if (released.isPresent()) {
                report(released.get());
            } else {
                code = ExitCode.NOT_CURRENT;
                if (invocation.json()) {
                    invocation
                            .console()
                            .print(new Json()
                                    .put("outcome", "not-held")
                                    .put("name", name)
                                    .toString());
                }
                invocation.console().say(name + " is not held by this ID; nothing was released");
            }
        }
        return code;
    }

    private int all(LeaseStore store, OwnedLeases leases) {
        String after = "";
        List<LeaseName> page;
        do {
            page = store.names("", after, PAGE);
            for (LeaseName name : page) {
                after = name.value();
                leases.release(name).ifPresent(this::report);
            }
        } while (page.size() == PAGE);
        return ExitCode.OK;
    }

    private void report(Grant grant) {
        if (invocation.json()) {
            invocation.console().print(JsonViews.outcome("released", grant).toString());
        } else {
            invocation.console().say(grant + " released");
        }
    }
}
