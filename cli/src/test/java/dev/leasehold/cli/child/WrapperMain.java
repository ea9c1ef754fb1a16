package dev.leasehold.cli.child;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A little wrapper to be killed, frozen and signalled: LEFT-MILLIS GRACE-MILLIS COMMAND… */
final class WrapperMain {
    private WrapperMain() {}

    public static void main(String[] args) throws Exception {
        Duration left = Duration.ofMillis(Long.parseLong(args[0]));
        Duration grace = Duration.ofMillis(Long.parseLong(args[1]));
        List<String> argv = Arrays.asList(args).subList(2, args.length);
        GuardedCommand command = GuardedCommand.start(argv, Map.of(), Set.of(), () -> left, grace, Stdio.inherit());
        try (Signals signals = Signals.forward(command::signal)) {
            System.exit(command.waitFor());
        }
    }
}
