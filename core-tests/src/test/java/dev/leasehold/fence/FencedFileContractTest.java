package dev.leasehold.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Admission;
import dev.leasehold.testkit.FenceContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FencedFileContractTest extends FenceContract<Content> {
    @TempDir
    Path directory;

    @Override
    protected Fence<Content> openFence() {
        return FencedFile.at(directory.resolve("artifact.txt"));
    }

    @Override
    protected Content write(String content) {
        return Content.of(content);
    }

    @Override
    protected Optional<String> read() {
        try {
            return Optional.of(Files.readString(directory.resolve("artifact.txt")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The zombie is producing its content when its successor raises the fence. */
    @Test
    void raiseStopsAnOlderWriteThatIsUnderWay() {
        assertAdmitted(fence.admit(grant(1), write("of one")), 1);
        Content interrupted = out -> {
            out.write("half of it, ".getBytes(StandardCharsets.UTF_8));
            assertAdmitted(openFence().raise(grant(2)), 2);
            out.write("and the rest".getBytes(StandardCharsets.UTF_8));
        };
        Admission answer = fence.admit(grant(1), interrupted);
        assertStale(answer, 2);
        assertContent("of one");
        assertThat(directory).isDirectoryNotContaining("glob:**staged*");
    }
}
