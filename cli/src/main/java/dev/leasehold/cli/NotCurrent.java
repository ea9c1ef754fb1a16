package dev.leasehold.cli;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** The common answer to a token that the store does not call current. */
final class NotCurrent {
    private NotCurrent() {}

    static int tell(Invocation invocation, Grant grant, Loss loss, String consequence) {
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
