package dev.leasehold.testkit.environment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** The runtime of Cloudflare's Workers. */
    public static final String WORKERD = "workerd";

    /** Google's emulator of Firestore. */
    public static final String FIRESTORE = "firestore-emulator";

    /** MySQL's server; an empty database directory to copy, {@code data}, is beside it. */
    public static final String MYSQL = "mysql-server";

    public static final String VALKEY = "valkey-server";

    /**
     * Programs that may be missing also in a continuous build: no package registry has the first, and the others are in a
     * distribution that changes every day.
     */
    static final Set<String> NOT_DEPENDABLE = Set.of(FIRESTORE, MYSQL, VALKEY);

    /** Programs that are on no PATH. A script of the same name finds or installs them, and prints where they are. */
    private static final List<String> BY_SCRIPT = List.of(WORKERD, FIRESTORE, MYSQL, VALKEY);

    private static final Map<String, Optional<Path>> FOUND = new ConcurrentHashMap<>();

    /** The file of the program or the library; empty if it is not installed or not allowed here. */
    public static Optional<Path> find(String name) {
        if (BY_SCRIPT.contains(name)) {
            return FOUND.computeIfAbsent(name, InstalledProgram::findByScript);
        }
        return name.equals(LIBFAKETIME) ? findLibfaketime() : findOnPath(name).filter(file -> isAllowed(name, file));
    }

    private static Optional<Path> findByScript(String name) {
        String root = System.getProperty("leasehold.root");
        if (root == null) {
            return Optional.empty();
        }
        try {
            Process script = new ProcessBuilder(Path.of(root, "scripts", name).toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return script.waitFor() == 0 ? Optional.of(Path.of(printed)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
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
