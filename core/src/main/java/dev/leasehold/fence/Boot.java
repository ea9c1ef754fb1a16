package dev.leasehold.fence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies the current boot of the system. What was written without a sync is visible to all
 * processes until the next boot, and may be lost then.
 */
final class Boot {
    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** Empty if the system has no boot id. */
    static String id() {
        return Id.NOW;
    }

    /** Whether the system has not rebooted since. False if that is unknown. */
    static boolean isCurrent(String id) {
        return !id.isEmpty() && id.equals(Id.NOW);
    }

    /** Read on first use; most programs never need it. */
    private static final class Id {
        static final String NOW = read();

        private static String read() {
            try {
                String text = Files.readString(ID).strip();
                return text.matches("[0-9a-f-]{36}") ? text : "";
            } catch (IOException e) {
                return "";
            }
        }
    }
}
