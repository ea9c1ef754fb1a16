package dev.leasehold.cli.child;

import java.time.Duration;
import java.util.Arrays;

/** A wrapper that waits in its witness, to be killed there: COMMAND… */
final class WitnessMain {
    private WitnessMain() {}

    public static void main(String[] args) throws Exception {
        SupervisedCommand.startKnownTo(
                WitnessMain::standStill,
                Arrays.asList(args),
                () -> Duration.ofSeconds(60),
                Duration.ofMillis(300),
                Stdio.inherit());
    }

    private static void standStill(ProcessHandle supervisor) {
        System.out.println(supervisor.pid());
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
