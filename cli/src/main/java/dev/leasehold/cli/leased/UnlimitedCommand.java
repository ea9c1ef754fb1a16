package dev.leasehold.cli.leased;

import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.child.Stdio;
import dev.leasehold.cli.child.SupervisedCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs a command without a time limit. If this program is killed, so is the command. */
public final class UnlimitedCommand {
    private static final Duration NO_DEADLINE = Duration.ofDays(3650);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private UnlimitedCommand() {}

    /**
     * Runs the command to its end, with this program's streams and signals. Returns its exit code.
     *
     * @throws IOException if it could not be started
     */
    public static int run(List<String> words, Map<String, String> variables) throws IOException, InterruptedException {
        CommandHandle handle = new CommandHandle();
        try (Signals signals = Signals.forward(handle::signal)) {
            SupervisedCommand running =
                    SupervisedCommand.start(words, variables, Set.of(), () -> NO_DEADLINE, GRACE, Stdio.inherit());
            handle.started(running);
            return running.waitFor();
        }
    }
}
