package dev.leasehold.fence;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The content to write. It is produced once, before any lock is taken, so it may be slow. */
@FunctionalInterface
public interface Content {
    void writeTo(OutputStream out) throws IOException;

    static Content of(byte[] bytes) {
        return out -> out.write(bytes);
    }

    static Content of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }
}
