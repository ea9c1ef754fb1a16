package dev.leasehold.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a person is looking. */
public final class Terminal {
    private static final Path STDOUT = Path.of("/proc/self/fd/1");

    private Terminal() {}

    public static boolean isOnStdout() {
        try {
            String device = Files.readSymbolicLink(STDOUT).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException e) {
            // No /proc here, so it cannot be told; what is printed is the same, only not in place.
            return false;
        }
    }
}
