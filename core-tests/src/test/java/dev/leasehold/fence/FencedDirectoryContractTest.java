package dev.leasehold.fence;

import dev.leasehold.testkit.FenceContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class FencedDirectoryContractTest extends FenceContract<Path> {
    @TempDir
    Path directory;

    @Override
    protected Fence<Path> openFence() {
        return FencedDirectory.at(directory.resolve("site"));
    }

    @Override
    protected Path write(String content) {
        try {
            Path tree = Files.createTempDirectory(directory, "tree");
            Files.writeString(tree.resolve("index.html"), content);
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Optional<String> read() {
        try {
            return Optional.of(Files.readString(directory.resolve("site/index.html")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
