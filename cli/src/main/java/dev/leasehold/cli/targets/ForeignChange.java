package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Warns of a file that another program changed without its fence, or refuses it. */
public final class ForeignChange {
    public static final Option STRICT = Option.flag(
            "strict", "refuse if another program changed the target since its last write through the fence");

    /** The kind of a change that was noticed, in the log of runs. */
    static final String NOTICED = "changed_outside";

    /** The kind of a refusal under {@code --strict}, in the log of runs. */
    static final String REFUSED = "strict_refused";

    private ForeignChange() {}

    /**
     * The refusal under {@code --strict}; null if the caller may go on. Then a change is recorded for
     * {@code explain}.
     */
    static Admission.@Nullable Refused look(Path path, Grant grant, Invocation invocation) throws InterruptedException {
        String change = FencedPath.at(path).changedOutside().orElse(null);
        if (change == null || TokenCheck.refuses(FencedFile.at(path)::state, grant)) {
            return null;
        }
        if (invocation.arguments().has(STRICT)) {
            return new Admission.Rejected(
                    grant, change + ". Look at the file; without --strict, it is taken as it is now");
        }
        invocation.console().say("warning: " + change);
        BoundedQuery.note(invocation, grant, NOTICED, path.toAbsolutePath() + ": " + change);
        return null;
    }
}
