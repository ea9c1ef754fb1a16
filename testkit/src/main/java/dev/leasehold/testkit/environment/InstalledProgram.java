package dev.leasehold.testkit.environment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds programs and libraries of the system that tests need. */
public final class InstalledProgram {
    /** Gives a single process a wrong time of day. */
    public static final String LIBFAKETIME = "libfaketime";

    private static final Path LIBRARIES = Path.of("/usr/lib");
    /** Debian installs servers in these directories, which are not on an ordinary user's PATH. */
    private static final String SERVERS = "/usr/sbin:/usr/local/sbin";

    private static final Map<List<String>, Boolean> WORKS = new ConcurrentHashMap<>();

    private InstalledProgram() {}

    /** The file of the program or the library; empty if it is not installed or not allowed here. */
    public static Optional<Path> find(String name) {
        return name.equals(LIBFAKETIME) ? findLibfaketime() : findOnPath(name).filter(file -> isAllowed(name, file));
    }

    /**
     * A container often has these two programs but does not permit tracing a process or creating a
     * namespace.
     */
    private static boolean isAllowed(String name, Path file) {
        return switch (name) {
            case "strace" -> works(file.toString(), "-o", "/dev/null", "true");
            case "unshare" -> works(file.toString(), "--map-root-user", "--mount", "true");
            default -> true;
        };
    }

    private static boolean works(String... command) {
        return WORKS.computeIfAbsent(List.of(command), InstalledProgram::run);
    }

    private static boolean run(List<String> command) {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The same for a test that declares with {@link Requires} that it needs the program. */
    public static Path require(String name) {
        return find(name)
                .orElseThrow(
                        () -> new IllegalStateException(
                                name
                                        + " is not installed, or may not be used here. On Debian, scripts/install-test-packages installs it."));
    }

    private static Optional<Path> findOnPath(String program) {
        String path = System.getenv("PATH");
        for (String directory :
                ((path == null ? "" : path) + File.pathSeparator + SERVERS).split(File.pathSeparator, -1)) {
            Path file = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> findLibfaketime() {
        if (!Files.isDirectory(LIBRARIES)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> platforms = Files.newDirectoryStream(LIBRARIES, Files::isDirectory)) {
            for (Path platform : platforms) {
                Path library = platform.resolve("faketime").resolve("libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return Optional.of(library);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
