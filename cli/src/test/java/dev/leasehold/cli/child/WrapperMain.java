package dev.leasehold.cli.child;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A little wrapper to be killed, frozen and signalled: LEFT-MILLIS GRACE-MILLIS COMMAND… */
final class WrapperMain {
    private WrapperMain() {}

    public static void main(String[] args) throws Exception {
        Duration left = Duration.ofMillis(Long.parseLong(args[0]));
        Duration grace = Duration.ofMillis(Long.parseLong(args[1]));
        List<String> argv = Arrays.asList(args).subList(2, args.length);
        var started = new CompletableFuture<GuardedCommand>();
        try (Signals signals = Signals.forward(name -> started.join().signal(name))) {
            started.complete(GuardedCommand.start(argv, Map.of(), Set.of(), () -> left, grace, Stdio.inherit()));
            System.exit(started.join().waitFor());
        }
    }
}
