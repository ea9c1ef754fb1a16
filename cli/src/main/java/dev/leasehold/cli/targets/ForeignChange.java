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
    public static final Option STRICT =
            Option.flag("strict", "refuse if another program changed the file since its last write through the fence");

    private ForeignChange() {}

    /** The refusal under {@code --strict}; null if the caller may go on. */
    static Admission.@Nullable Refused look(Path path, Grant grant, Invocation invocation) {
        String change = FencedPath.at(path).changedOutside().orElse(null);
        if (change == null || TokenCheck.refuses(FencedFile.at(path)::state, grant)) {
            return null;
        }
        if (invocation.arguments().has(STRICT)) {
            return new Admission.Rejected(
                    grant, change + ". Look at the file; without --strict, it is taken as it is now");
        }
        invocation.console().say("warning: " + change);
        return null;
    }
}
