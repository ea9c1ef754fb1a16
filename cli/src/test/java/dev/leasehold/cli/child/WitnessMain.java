package dev.leasehold.cli.child;

import java.time.Duration;
import java.util.Arrays;

/** A wrapper that blocks as soon as its supervisor is known, so that a test can kill it then: COMMAND… */
final class WitnessMain {
    private WitnessMain() {}

    public static void main(String[] args) throws Exception {
        SupervisedCommand.startKnownTo(
                WitnessMain::block,
                Arrays.asList(args),
                () -> Duration.ofSeconds(60),
                Duration.ofMillis(300),
                Stdio.inherit());
    }

    private static void block(ProcessHandle supervisor) {
        System.out.println(supervisor.pid());
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
