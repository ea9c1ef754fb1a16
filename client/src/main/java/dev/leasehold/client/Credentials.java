package dev.leasehold.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a client shows to a server. */
final class Credentials {
    static final String VARIABLE = "LEASEHOLD_ACCESS_KEY";

    private Credentials() {}

    /**
     * The key to send: from the file that the URL names, or from the environment. Null if there is
     * none.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has something else
     */
    static @Nullable String key(ServerAddress address) {
        String file = address.keyFile();
        String key = System.getenv(VARIABLE);
        if (file != null) {
            try {
                key = Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "the key of the server cannot be read from " + file + ": " + e.getMessage(), e);
            }
        }
        if (key == null || key.isEmpty()) {
            return null;
        }
        if (key.length() > 200 || key.chars().anyMatch(c -> c <= 0x20 || c >= 0x7f)) {
            throw new IllegalArgumentException((file == null ? VARIABLE : file)
                    + " does not have a key: it is one line that starts with lhk_, as 'leasehold keys add' printed it");
        }
        return key;
    }
}
