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

/** {@code leasehold release}: gives a lease back. Twice is harmless; a stale token changes nothing and is told so. */
public final class ReleaseCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("release", "give a lease back, by its token")
                .description(
                        """
                        Gives the lease back, so that the next one need not wait for its ttl. Only the current token
                        can; exit 12 if it is not current any more, and then nothing was changed. Releasing twice is
                        harmless.""")
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
                return NotCurrent.tell(invocation, grant, not.loss(), "nothing was released");
            }
            boolean again = release instanceof Release.AlreadyReleased;
            if (invocation.json()) {
                String outcome = again ? "already-released" : "released";
                invocation.console().print(JsonViews.outcome(outcome, grant).toString());
            } else {
                invocation.console().say(again ? grant + " had been released before" : grant + " released");
            }
            return ExitCode.OK;
        }
    }
}
