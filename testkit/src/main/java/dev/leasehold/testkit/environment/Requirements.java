package dev.leasehold.testkit.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInfo;

/**
 * Decides what happens to a test whose requirements are not met: it fails in a continuous build,
 * elsewhere it is left out. A test that needs a program which no package registry has is left out everywhere.
 */
public final class Requirements {
    private final boolean continuousBuild;
    private final @Nullable Path list;

    /** @param list the file that names the tests that are left out; null if no file is written */
    Requirements(boolean continuousBuild, @Nullable Path list) {
        this.continuousBuild = continuousBuild;
        this.list = list;
    }

    static Requirements ofThisMachine() {
        String root = System.getProperty("leasehold.root");
        return new Requirements(
                "true".equals(System.getenv("CI")), root == null ? null : Path.of(root, "target", "left-out"));
    }

    /**
     * Ends the running test, as {@link Requires} would, unless the requirement holds. For
     * requirements that are neither programs nor libraries.
     *
     * @param need what the test needs, in words that complete "needs …"
     */
    public static void require(TestInfo test, boolean holds, String need) {
        if (!holds) {
            ofThisMachine()
                    .leaveOut(nameOf(test.getTestClass(), test.getTestMethod()), List.of(need))
                    .ifPresent(Assumptions::abort);
        }
    }

    /** The reason to leave the test out; empty if nothing is missing. */
    Optional<String> leaveOut(String test, List<String> missing) {
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String reason = "needs " + String.join(", ", missing);
        if (continuousBuild && !InstalledProgram.NOT_DEPENDABLE.containsAll(missing)) {
            throw new AssertionError(test + " " + reason
                    + ". With CI=true no test is left out. On Debian, scripts/install-test-packages installs programs and"
                    + " libraries that are missing.");
        }
        if (list != null) {
            append(list, test + ": " + reason + "\n");
        }
        return Optional.of(reason);
    }

    /** One write of one line, because several test processes append to the same file. */
    private static void append(Path list, String line) {
        try {
            Files.createDirectories(list.getParent());
            Files.writeString(list, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String nameOf(Optional<Class<?>> type, Optional<Method> method) {
        return type.map(Class::getName).orElse("?")
                + method.map(m -> "#" + m.getName()).orElse("");
    }
}
