package dev.leasehold.cli.command;

import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** Reports a token that is not current in the store. */
public final class NotCurrent {
    private NotCurrent() {}

    /** Reports the loss and returns the exit code. */
    public static int report(Invocation invocation, Grant grant, Loss loss, String consequence) {
        if (invocation.json()) {
            invocation.console().print(JsonViews.lost(grant, loss).toString());
        }
        invocation
                .console()
                .error("token " + grant.token() + " of " + grant.name() + " is not current; " + consequence + ": "
                        + loss.explanation());
        return ExitCode.NOT_CURRENT;
    }
}
