package dev.leasehold.cli.run;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import org.jspecify.annotations.Nullable;

/** The work item that {@code run --key} is about. A run without a key never loads any of this. */
record WorkPlan(WorkId id, @Nullable Fingerprint input) {
    static @Nullable WorkPlan of(Arguments arguments) {
        if (arguments.has(RunCommand.KEY)) {
            return given(arguments);
        }
        if (arguments.has(RunCommand.FINGERPRINT)) {
            throw new UsageException("--fingerprint belongs to a key: give --key KEY as well");
        }
        return null;
    }

    /** The key belongs to the first name, whichever of them is free in the end. */
    private static WorkPlan given(Arguments arguments) {
        WorkKey key = arguments.value(RunCommand.KEY, WorkKey::of);
        if (key == null) {
            throw new UsageException("--key is missing");
        }
        try {
            return new WorkPlan(
                    new WorkId(arguments.leaseName(0), key), arguments.value(RunCommand.FINGERPRINT, Fingerprint::of));
        } catch (UsageException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }
}
