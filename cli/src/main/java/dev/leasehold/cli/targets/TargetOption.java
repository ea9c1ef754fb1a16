package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.git.GitFence;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target as it is named on the command line: a path, or a git remote.
 *
 * <p>A git remote is what has {@code ://} or is {@code host:path}, a directory that is a bare repository, and a word under
 * which nothing lies on the disk but a remote is configured in the repository around. All else is a path. Nothing of git is
 * loaded for a path.
 */
public final class TargetOption {
    private static final Path HERE = Path.of("");

    private final String text;
    private final Path directory;
    private final @Nullable Path path;

    private TargetOption(String text, Path directory, @Nullable Path path) {
        this.text = text;
        this.directory = directory;
        this.path = path;
    }

    public static List<TargetOption> parse(String where, List<String> texts, Invocation invocation) {
        return parse(where, texts, HERE, invocation);
    }

    /** @param directory where they are named from */
    public static List<TargetOption> parse(String where, List<String> texts, Path directory, Invocation invocation) {
        List<TargetOption> targets = new ArrayList<>(texts.size());
        for (String text : texts) {
            targets.add(parse(where, text, directory, invocation));
        }
        return targets;
    }

    private static TargetOption parse(String where, String text, Path directory, Invocation invocation) {
        if (FileTargets.looksRemote(text)) {
            if (text.startsWith("-")) {
                throw new UsageException(where + " " + SafeText.quote(text) + " looks like an option");
            }
            invocation.console().hideSecretsOf(text);
            return new TargetOption(text, directory, null);
        }
        Path path = directory.resolve(FileTargets.parse(where, text));
        boolean remote = isBareRepository(path) || isRemoteHere(text, path, directory, invocation);
        return new TargetOption(text, directory, remote ? null : path);
    }

    private static boolean isBareRepository(Path path) {
        return Files.isDirectory(path.resolve("objects"))
                && Files.isDirectory(path.resolve("refs"))
                && Files.exists(path.resolve("HEAD"));
    }

    /** Only a word that cannot be meant as a path that is there costs a look at git's settings, and only inside a repository. */
    private static boolean isRemoteHere(String text, Path path, Path directory, Invocation invocation) {
        if (text.indexOf('/') >= 0 || text.startsWith("-") || Files.exists(path) || Files.isSymbolicLink(path)) {
            return false;
        }
        return isInRepository(directory, invocation)
                && GitFence.isConfigured(directory.toAbsolutePath(), invocation.environment(), text);
    }

    private static boolean isInRepository(Path directory, Invocation invocation) {
        if (invocation.env("GIT_DIR") != null) {
            return true;
        }
        for (Path at = directory.toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git")) || isBareRepository(at)) {
                return true;
            }
        }
        return false;
    }

    /** The repository behind a remote, with the user's environment; what is worth a line is said. */
    static GitFence fence(String remote, Invocation invocation) {
        return fence(remote, HERE, invocation);
    }

    private static GitFence fence(String remote, Path directory, Invocation invocation) {
        invocation.console().hideSecretsOf(remote);
        return GitFence.at(directory.toAbsolutePath(), remote)
                .with(invocation.environment(), notice -> invocation.console().say(notice));
    }

    /** Warns if the guarantee is weaker for this one. */
    void warnOfWeakness(Invocation invocation) {
        if (path != null) {
            FencedPath.at(path)
                    .weakness()
                    .ifPresent(weakness -> invocation.console().say("warning: " + weakness));
        }
    }

    /** Raises it, and warns if somebody left it half written. */
    public Admission raise(Grant grant, Invocation invocation) {
        if (path == null) {
            return fence(text, directory, invocation).raise(grant);
        }
        FencedPath guarded = FencedPath.at(path);
        Admission admission = guarded.raise(grant);
        if (!(admission instanceof Admission.Refused)) {
            guarded.halfWritten().ifPresent(warning -> invocation.console().say("warning: " + warning));
        }
        return admission;
    }

    /** Which target it is, wherever it is read: a path whole, a remote without its password. */
    String whole() {
        return path == null ? toString() : path.toAbsolutePath().toString();
    }

    /** As it was named, without its password. */
    @Override
    public String toString() {
        return Secrets.withoutPassword(text);
    }
}
