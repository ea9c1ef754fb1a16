package dev.leasehold.cli.store;

import dev.leasehold.spi.StoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a kind of store that only tests have known to the program in another process. */
final class StoreOfTest {
    private StoreOfTest() {}

    /** The directory for the class path of the program, which finds the provider by it. */
    static Path classes(Path directory, Class<? extends StoreProvider> provider) throws IOException {
        Path classes = directory.resolve("classes");
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve(StoreProvider.class.getName()), provider.getName());
        return classes;
    }
}
