package dev.leasehold.cli.run;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.NotCurrent;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Release;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/**
 * {@code leasehold release}: releases a lease. A second release is harmless; a stale token changes
 * nothing.
 */
public final class ReleaseCommand implements Command {
    private static final String CANCEL =
            "a lease is released only by its token. To free the lease of another holder, raise the token with:"
                    + " leasehold cancel ";
    private static final String REASON = " --reason S";

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("release", "release a lease by its token")
                .description(
                        """
                        Releases the lease, so that the next holder does not wait for the ttl to pass. Only its token
                        releases a lease: operators use 'leasehold cancel', which raises the token. Exit 12 if the
                        token is no longer current; then nothing was changed. Releasing twice is harmless. NAME
                        defaults to $LEASEHOLD_NAME. With --as, releases what 'acquire --as' acquired for ID: NAME, the
                        leases of the files that --path names, or without either everything that ID holds.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TOKEN)
                .option(OwnedNames.AS)
                .option(OwnedNames.PATH)
                .never("reason", CANCEL + "NAME" + REASON)
                .example("leasehold release daily-publish --token 42");
    }

    private static Grant grant(Invocation invocation) {
        try {
            return ShownGrant.ofPositional(invocation);
        } catch (UsageException e) {
            String name = invocation.arguments().positional(0);
            if (name == null || invocation.arguments().has(SharedOptions.TOKEN)) {
                throw e;
            }
            throw new UsageException(e.getMessage() + "; " + CANCEL + SafeText.show(name) + REASON, e);
        }
    }

    @Override
    public int run(Invocation invocation) {
        if (OwnedNames.areMeant(invocation.arguments())) {
            return new OwnedRelease(invocation).run();
        }
        Grant grant = grant(invocation);
        try (LeaseStore store = invocation.openStore()) {
            Release release = store.release(grant, Duration.ZERO);
            if (release instanceof Release.NotCurrent not) {
                return NotCurrent.report(invocation, grant, not.loss(), "nothing was released");
            }
            boolean again = release instanceof Release.AlreadyReleased;
            if (invocation.json()) {
                String outcome = again ? "already-released" : "released";
                invocation.console().print(JsonViews.outcome(outcome, grant).toString());
            } else {
                invocation.console().say(again ? grant + " was already released" : grant + " released");
            }
            return ExitCode.OK;
        }
    }
}
