package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The PATH of a command, on which the command finds this program. The directory of the launcher
 * comes last, and only if the PATH has no {@code leasehold} yet, so that an installed one wins.
 */
public final class ProgramPath {
    /** The directory of the launcher, which the launcher sets. */
    private static final String HOME = "leasehold.home";

    private static final String PROGRAM = "leasehold";
    private static final String VARIABLE = "PATH";

    private ProgramPath() {}

    /**
     * The PATH of a command.
     *
     * @param path the PATH of this program; null or empty if it has none
     * @return the same if there is nothing to add
     */
    public static @Nullable String with(@Nullable String path) {
        String known = path == null || path.isEmpty() ? CommandLookup.DEFAULT_PATH : path;
        String home = home();
        return home == null || finds(known) ? path : known + ":" + home;
    }

    static void addTo(Map<String, String> environment) {
        String path = with(environment.get(VARIABLE));
        if (path != null) {
            environment.put(VARIABLE, path);
        }
    }

    private static @Nullable String home() {
        String given = System.getProperty(HOME);
        if (given == null) {
            return null;
        }
        try {
            String home = Path.of(given).toRealPath().toString();
            return home.indexOf(':') < 0 && finds(home) ? home : null;
        } catch (IOException | InvalidPathException unusable) {
            return null;
        }
    }

    private static boolean finds(String path) {
        return CommandLookup.resolve(PROGRAM, path) instanceof CommandLookup.Found;
    }
}
