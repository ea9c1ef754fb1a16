package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.fence.FenceDetails;
import dev.leasehold.fence.FencedPath;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.GitFence;
import dev.leasehold.internal.HostName;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A target on the command line: a path or a git remote.
 *
 * <p>A git remote is a text with {@code ://} or of the form {@code host:path}, a bare repository,
 * or the name of a remote that the surrounding repository configures, if no file has that name.
 * Everything else is a path, for which no class of git is loaded. {@link MissingTarget} decides
 * about a path where nothing exists.
 */
public final class TargetOption {
    private static final Path HERE = Path.of("");

    private final String text;
    private final Path directory;
    private final @Nullable Path path;
    /** Whether nothing has been written yet to a file that did not exist. */
    private volatile boolean unused;

    private volatile long raisedVersion;
    /** The state of the fence of a git remote before the last step. */
    private volatile @Nullable FenceState looked;

    private TargetOption(String text, Path directory, @Nullable Path path, boolean unused) {
        this.text = text;
        this.directory = directory;
        this.path = path;
        this.unused = unused;
    }

    public static List<TargetOption> parse(String where, List<String> texts, Invocation invocation) {
        return parse(where, texts, HERE, invocation);
    }

    /** @param directory the directory to which relative paths refer */
    public static List<TargetOption> parse(String where, List<String> texts, Path directory, Invocation invocation) {
        List<TargetOption> targets = new ArrayList<>(texts.size());
        for (String text : texts) {
            targets.add(parse(where, text, directory, true, invocation));
        }
        return targets;
    }

    /** A path that is about to be written. */
    static TargetOption file(Path path) {
        return new TargetOption(path.toString(), HERE, path, false);
    }

    /** A git remote that is about to be pushed to. */
    static TargetOption remote(String remote) {
        return new TargetOption(remote, HERE, null, false);
    }

    /** A target that is not about to be guarded, so it need not exist. */
    static TargetOption known(String where, String text, Invocation invocation) {
        return parse(where, text, HERE, false, invocation);
    }

    private static TargetOption parse(
            String where, String text, Path directory, boolean guarding, Invocation invocation) {
        if (FileTargets.looksRemote(text)) {
            if (text.startsWith("-")) {
                throw new UsageException(where + " " + SafeText.quote(text) + " looks like an option");
            }
            invocation.console().hideSecretsOf(text);
            return new TargetOption(text, directory, null, false);
        }
        Path path = directory.resolve(FileTargets.parse(where, text));
        String name = FileTargets.withoutMark(text);
        if (isBareRepository(path)) {
            return new TargetOption(name, directory, null, false);
        }
        if (MissingTarget.exists(path)) {
            return new TargetOption(name, directory, path, false);
        }
        boolean marked = FileTargets.isMarked(text);
        boolean inRepository = !marked && isWord(name) && isInRepository(directory, invocation);
        List<String> remotes =
                inRepository ? GitFence.remotes(directory.toAbsolutePath(), invocation.environment()) : List.of();
        if (remotes.contains(name)) {
            return new TargetOption(name, directory, null, false);
        }
        if (guarding && !MissingTarget.isFenced(path)) {
            if (!marked) {
                MissingTarget.refuseIfMistyped(where, name, path, inRepository, remotes);
            }
            MissingTarget.announce(name, path, invocation);
        }
        return new TargetOption(name, directory, path, true);
    }

    /** Git's settings are read only for a word that can be the name of a remote. */
    private static boolean isWord(String text) {
        return text.indexOf('/') < 0 && !text.startsWith("-");
    }

    static boolean isBareRepository(Path path) {
        return Files.isDirectory(path.resolve("objects"))
                && Files.isDirectory(path.resolve("refs"))
                && Files.exists(path.resolve("HEAD"));
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

    /**
     * The fence of a git remote, with the user's environment. Its notices go to the console. A step
     * fails if the fence went back.
     *
     * @param known what the store remembers
     */
    GitFence gitFence(Supplier<List<KnownTarget>> known, Invocation invocation) {
        invocation.console().hideSecretsOf(text);
        return GitFence.at(directory.toAbsolutePath(), text)
                .with(invocation.environment(), notice -> invocation.console().say(notice))
                .looking(state -> {
                    looked = state;
                    requireNotBack(known.get(), state);
                });
    }

    private GitFence gitFence(Invocation invocation) {
        return gitFence(List::of, invocation);
    }

    /** Warns if the guarantee is weaker for this target. */
    void warnOfWeakness(Invocation invocation) {
        if (path != null) {
            FencedPath.at(path)
                    .weakness()
                    .ifPresent(weakness -> invocation.console().say("warning: " + weakness));
        }
    }

    /** Raises the target, and warns if an earlier writer left it half written or another program changed it. */
    Admission raise(Grant grant, List<KnownTarget> known, Invocation invocation) throws InterruptedException {
        if (path == null) {
            return gitFence(() -> known, invocation).raise(grant);
        }
        FencedPath fence = FencedPath.at(path);
        OtherTargets.refuse(path, grant, invocation);
        requireNotBack(known);
        Admission.Refused changed = ForeignChange.look(path, grant, invocation);
        if (changed != null) {
            return changed;
        }
        Admission admission = fence.raise(grant);
        if (!(admission instanceof Admission.Refused)) {
            fence.halfWritten().ifPresent(warning -> invocation.console().say("warning: " + warning));
            raisedVersion = unused ? fence.version() : 0;
        }
        return admission;
    }

    /** @throws TargetUnavailableException if the fence of this path went back */
    void requireNotBack(List<KnownTarget> known) {
        if (path != null && !known.isEmpty()) {
            FencedPath.at(path).details().ifPresent(fence -> requireNotBack(known, fence.state()));
        }
    }

    /**
     * What the store is to remember about a target after a step of this grant; empty if it does
     * already, or if the fence is gone.
     */
    Optional<KnownTarget> stepped(Grant grant, List<KnownTarget> known, Invocation invocation) {
        Optional<FenceState> state = path == null
                ? Optional.ofNullable(looked)
                : FencedPath.at(path).details().map(FenceDetails::state);
        // First, because git has to be started to find out where a remote leads.
        return state.filter(fence -> !TargetMemory.covers(known, fence, grant.token()))
                .map(fence ->
                        new KnownTarget(place(invocation), HostName.get(), fence.id(), grant.token(), Instant.EPOCH));
    }

    private String place(Invocation invocation) {
        return path == null
                ? Secrets.withoutPassword(gitFence(invocation).url())
                : FencedPath.at(path).file().toString();
    }

    /**
     * Warns if the target did not exist before and nothing was written through its fence since it
     * was raised. Call this while the lease is held: the next holder raises the fence.
     */
    public void warnIfUnused(Invocation invocation) {
        if (!unused || path == null) {
            return;
        }
        try {
            unused = FencedPath.at(path).version() == raisedVersion;
        } catch (TargetUnavailableException e) {
            return;
        }
        if (unused) {
            invocation
                    .console()
                    .say("warning: " + text + " was guarded, but nothing was written through it: use 'leasehold write'"
                            + " (or publish, append, exec-fenced) in the command. A program that writes it directly"
                            + " is not refused when its token is stale");
        }
    }

    /** The kind of a refusal by this target, in the log of runs. A git server may reject any token. */
    public String kindOf(Admission.Refused refused) {
        if (!(refused instanceof Admission.Rejected)) {
            return Refusals.STALE;
        }
        return path == null ? "target_refused" : ForeignChange.REFUSED;
    }

    /** Whether the target has seen a token above this one; false if it cannot be asked. */
    public boolean hasSeenAbove(FencingToken token, LeaseName name, Invocation invocation) {
        try {
            return state(name, invocation)
                    .filter(fence -> token.isBelow(fence.raised()))
                    .isPresent();
        } catch (TargetUnavailableException | IllegalArgumentException e) {
            return false;
        }
    }

    /** What the fence of the target remembers; empty if there is none. */
    Optional<FenceState> state(LeaseName name, Invocation invocation) {
        return path == null
                ? gitFence(invocation).state(name)
                : FencedPath.at(path).details().map(FenceDetails::state);
    }

    /** The path; null for a git remote. */
    @Nullable
    Path path() {
        return path;
    }

    /** Binds the fence of the target to the store of this grant. */
    Admission rebind(Grant grant, Invocation invocation) {
        return path == null
                ? gitFence(invocation).rebind(grant)
                : FencedPath.at(path).rebind(grant);
    }

    boolean isIn(List<TargetOption> targets) {
        for (TargetOption target : targets) {
            if (target.whole().equals(whole())) {
                return true;
            }
        }
        return false;
    }

    /** The complete name of the target: an absolute path, or a remote without its password. */
    String whole() {
        return path == null ? toString() : path.toAbsolutePath().normalize().toString();
    }

    /** How the target is named on the command line, for a command that needs its lease. */
    String onCommandLine(LeaseName name) {
        String word = SafeText.shellWord(toString());
        return path == null ? word + " --name " + name : word;
    }

    /** As the user named it, without its password. */
    @Override
    public String toString() {
        return Secrets.withoutPassword(text);
    }

    /** @throws TargetUnavailableException if the fence went back */
    private void requireNotBack(List<KnownTarget> known, FenceState fence) {
        KnownTarget before = TargetMemory.find(known, fence);
        if (before != null && TargetMemory.wentBack(known, fence)) {
            throw new TargetUnavailableException(
                    this + ": nothing was written: its fence went back in time. It was raised"
                            + " to token " + before.raised() + " of " + fence.name() + ", but it stands at token "
                            + fence.raised()
                            + " now, probably because it was restored from a backup. Then the target is perhaps older than what was"
                            + " written since. Look at it. To go on with it as it is, run 'leasehold fence rebind "
                            + onCommandLine(fence.name()) + " --reason ...'");
        }
    }
}
