package dev.leasehold.cli.child;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a command can be executed, by the rules of {@code execvp}, before anything is
 * started.
 *
 * <p>A name with a slash is used as it is, any other name is searched for along the path; an empty
 * element of the path is the working directory. A candidate that may not be executed does not end
 * the search. If no other candidate is found, the answer is {@link NotExecutable}, which is a
 * shell's 126.
 *
 * <p>A script without a {@code #!} line is {@link Found}: {@code execvp} runs it with
 * {@code /bin/sh}, and so does the supervisor. What only the kernel knows (a broken interpreter, a
 * foreign architecture, a file system mounted {@code noexec}) shows when the command is started, as
 * exit code 126 or 127.
 */
public final class CommandLookup {
    /** What glibc searches when the environment has no PATH. */
    static final String DEFAULT_PATH = "/bin:/usr/bin";

    private CommandLookup() {}

    /** The answer for a name. */
    public sealed interface Result {}

    /** The file that will be executed. */
    public record Found(Path file) implements Result {}

    /** There is no such file: exit code 127 in a shell. */
    public record NotFound(String name) implements Result {}

    /** The file may not be executed, or is a directory: exit code 126 in a shell. */
    public record NotExecutable(Path file) implements Result {}

    /**
     * Looks a command up.
     *
     * @param name the first word of the command
     * @param path the PATH of the command, or null if it has none
     */
    public static Result resolve(String name, @Nullable String path) {
        if (name.isEmpty()) {
            return new NotFound(name);
        }
        if (name.indexOf('/') >= 0) {
            return judge(name, name);
        }
        Result best = new NotFound(name);
        for (String folder : (path == null ? DEFAULT_PATH : path).split(":", -1)) {
            Result result = judge(name, folder.isEmpty() ? "./" + name : folder + "/" + name);
            if (result instanceof Found) {
                return result;
            }
            if (best instanceof NotFound) {
                best = result;
            }
        }
        return best;
    }

    private static Result judge(String name, String candidate) {
        Path file;
        try {
            file = Path.of(candidate);
        } catch (InvalidPathException unmappable) {
            return new NotFound(name);
        }
        if (Files.isRegularFile(file) && Files.isExecutable(file)) {
            return new Found(file);
        }
        return Files.exists(file) ? new NotExecutable(file) : new NotFound(name);
    }
}
