package dev.leasehold.cli.child;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A small wrapper to be killed, frozen and signalled: SIGNAL LEFT-MILLIS GRACE-MILLIS COMMAND… */
final class WrapperMain {
    private WrapperMain() {}

    public static void main(String[] args) throws Exception {
        Duration left = Duration.ofMillis(Long.parseLong(args[1]));
        Duration grace = Duration.ofMillis(Long.parseLong(args[2]));
        List<String> argv = Arrays.asList(args).subList(3, args.length);
        var started = new CompletableFuture<SupervisedCommand>();
        try (Signals signals = Signals.forward(name -> started.join().signal(name))) {
            started.complete(SupervisedCommand.start(argv, Map.of(), Set.of(), () -> left, grace, Stdio.inherit()));
            if (!args[0].isEmpty()) {
                started.join().signal(args[0]);
            }
            System.exit(started.join().waitFor());
        }
    }
}
