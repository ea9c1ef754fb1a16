package dev.leasehold.fence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which start of the system this is. What a program has written without a sync is there for everybody as long as the system
 * runs, and may be gone after the next start.
 */
final class Boot {
    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** Empty where the system does not tell. */
    static String id() {
        return Id.NOW;
    }

    /** Whether the system has run since then. Where it does not tell, it may have been started anew. */
    static boolean isStill(String id) {
        return !id.isEmpty() && id.equals(Id.NOW);
    }

    /** Read when it is first needed, which most programs never come to. */
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
