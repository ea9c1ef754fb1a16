package dev.leasehold.fence;

import dev.leasehold.testkit.FenceContract;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/**
 * The content of a log is its last record: each text of the contract becomes one line, and the last
 * whole line is read.
 */
class FencedLogContractTest extends FenceContract<Content> {
    private static final int LONGEST = 500_000;

    @TempDir
    Path directory;

    @Override
    protected Fence<Content> openFence() {
        return FencedLog.at(directory.resolve("journal"));
    }

    @Override
    protected Content write(String content) {
        return Content.of(">" + Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)) + "\n");
    }

    @Override
    protected Optional<String> read() {
        if (!Files.exists(directory.resolve("journal"))) {
            return Optional.empty();
        }
        String end = end();
        int newLine = end.lastIndexOf('\n');
        if (newLine < 0) {
            return Optional.empty();
        }
        String line = end.substring(end.lastIndexOf('\n', newLine - 1) + 2, newLine);
        return Optional.of(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8));
    }

    private String end() {
        try (RandomAccessFile log =
                new RandomAccessFile(directory.resolve("journal").toFile(), "r")) {
            // Read once: the log grows meanwhile, and a second length could lie inside a line.
            long length = log.length();
            byte[] bytes = new byte[(int) Math.min(LONGEST, length)];
            log.seek(length - bytes.length);
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
