package dev.leasehold.cli.command;

import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** The common answer to a token that the store does not call current. */
public final class NotCurrent {
    private NotCurrent() {}

    public static int tell(Invocation invocation, Grant grant, Loss loss, String consequence) {
        if (invocation.json()) {
            invocation.console().print(JsonViews.lost(grant, loss).toString());
        }
        invocation
                .console()
                .error("token " + grant.token() + " of " + grant.name() + " is not current, " + consequence + ": "
                        + loss.explanation());
        return ExitCode.NOT_CURRENT;
    }
}
