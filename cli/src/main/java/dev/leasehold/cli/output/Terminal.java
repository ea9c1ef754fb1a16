package dev.leasehold.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether stdout is a terminal. */
public final class Terminal {
    private static final Path STDOUT = Path.of("/proc/self/fd/1");

    private Terminal() {}

    public static boolean isOnStdout() {
        try {
            String device = Files.readSymbolicLink(STDOUT).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException e) {
            // Without /proc this is unknown. The output is the same, but does not clear the screen.
            return false;
        }
    }
}
