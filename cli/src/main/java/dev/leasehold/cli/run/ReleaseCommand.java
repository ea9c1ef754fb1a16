package dev.leasehold.cli.run;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.NotCurrent;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Release;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/**
 * {@code leasehold release}: releases a lease. A second release is harmless; a stale token changes
 * nothing.
 */
public final class ReleaseCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("release", "release a lease by its token")
                .description(
                        """
                        Releases the lease, so that the next holder does not wait for the ttl to pass. Exit 12 if the
                        token is no longer current; then nothing was changed. Releasing twice is harmless. NAME
                        defaults to $LEASEHOLD_NAME.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.TOKEN)
                .example("leasehold release daily-publish --token 42");
    }

    @Override
    public int run(Invocation invocation) {
        Grant grant = ShownGrant.ofPositional(invocation);
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
