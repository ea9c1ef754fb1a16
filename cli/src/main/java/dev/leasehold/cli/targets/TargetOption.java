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
 * A target on the command line: a path or a git remote.
 *
 * <p>A git remote is a text with {@code ://} or of the form {@code host:path}, a bare repository,
 * or the name of a remote that the surrounding repository configures, if no file has that name.
 * Everything else is a path, for which no class of git is loaded.
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

    /** @param directory the directory to which relative paths refer */
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

    /**
     * Reads git's settings only inside a repository, and only for a word that is not the path of an
     * existing file.
     */
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

    /** The fence of a git remote, with the user's environment. Its notices go to the console. */
    static GitFence fence(String remote, Invocation invocation) {
        return fence(remote, HERE, invocation);
    }

    private static GitFence fence(String remote, Path directory, Invocation invocation) {
        invocation.console().hideSecretsOf(remote);
        return GitFence.at(directory.toAbsolutePath(), remote)
                .with(invocation.environment(), notice -> invocation.console().say(notice));
    }

    /** Warns if the guarantee is weaker for this target. */
    void warnOfWeakness(Invocation invocation) {
        if (path != null) {
            FencedPath.at(path)
                    .weakness()
                    .ifPresent(weakness -> invocation.console().say("warning: " + weakness));
        }
    }

    /** Raises the target, and warns if an earlier writer left it half written. */
    public Admission raise(Grant grant, Invocation invocation) {
        if (path == null) {
            return fence(text, directory, invocation).raise(grant);
        }
        FencedPath fence = FencedPath.at(path);
        Admission admission = fence.raise(grant);
        if (!(admission instanceof Admission.Refused)) {
            fence.halfWritten().ifPresent(warning -> invocation.console().say("warning: " + warning));
        }
        return admission;
    }

    /** The complete name of the target: an absolute path, or a remote without its password. */
    String whole() {
        return path == null ? toString() : path.toAbsolutePath().toString();
    }

    /** As the user named it, without its password. */
    @Override
    public String toString() {
        return Secrets.withoutPassword(text);
    }
}
