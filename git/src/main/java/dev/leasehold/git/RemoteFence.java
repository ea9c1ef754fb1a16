package dev.leasehold.git;

import dev.leasehold.model.FenceState;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The fence of one lease at one remote: how it is looked at, and how it is moved. */
final class RemoteFence implements AutoCloseable {
    private final PrivateRepository repository;
    private final Git git;
    private final GitSettings settings;
    private final RemoteAddress remote;
    private final FenceRef refs;

    private RemoteFence(
            PrivateRepository repository, Git git, GitSettings settings, RemoteAddress remote, FenceRef refs) {
        this.repository = repository;
        this.git = git;
        this.settings = settings;
        this.remote = remote;
        this.refs = refs;
    }

    /** The fence where it was found. */
    record Seen(String ref, FenceCommit commit) {}

    static RemoteFence open(Path directory, Map<String, String> environment, String remote, LeaseName name) {
        PrivateRepository repository = PrivateRepository.create();
        try {
            Git git = new Git(directory, environment, repository.scratch());
            GitSettings settings = GitSettings.read(git);
            RemoteAddress address = RemoteAddress.resolve(git, settings, remote);
            repository.init(settings.objectFormat());
            return new RemoteFence(repository, git, settings, address, FenceRef.of(name));
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    Git git() {
        return git;
    }

    RemoteAddress remote() {
        return remote;
    }

    FenceRef refs() {
        return refs;
    }

    /**
     * The fence as it is now.
     *
     * @param known what it was when it was last seen; if it still is, only its id has to travel
     */
    Optional<Seen> look(@Nullable Seen known) {
        if (known != null && isStill(known)) {
            repository.adopt(known.ref, known.commit);
            return Optional.of(known);
        }
        return fetch(true);
    }

    /** The fence as it is now, with all that came after what was last looked at. */
    Optional<Seen> lookAtHistory() {
        return fetch(false);
    }

    /** Whether a commit is the fence or one of those before it. */
    boolean contains(Seen seen, String id) {
        return ours("merge-base", "--is-ancestor", id, seen.commit.id()).run().ok();
    }

    /** Makes the commit that is to follow. */
    FenceCommit follow(@Nullable FenceCommit parent, FenceState state) {
        String text = FenceCommit.next(
                parent, repository.emptyTree(), state, new SystemIds().unique(), System.currentTimeMillis() / 1000);
        return FenceCommit.parse(repository.write("commit", text), text);
    }

    /** Moves the fence alone. */
    PushReport move(String ref, @Nullable FenceCommit from, FenceCommit to) {
        Git.Command command = ours("push", "--no-verify", "--recurse-submodules=no");
        return push(command.inEnglish(), "leasehold", ref, from, to, List.of());
    }

    /** Moves the fence and what the user pushes, from where the user is, with the user's hooks. */
    PushReport move(String ref, FenceCommit from, FenceCommit to, List<String> refspecs) {
        String others = git.variable("GIT_ALTERNATE_OBJECT_DIRECTORIES");
        Git.Command command = git.here(
                        "push", "--recurse-submodules=" + (settings.looksAfterSubmodules() ? "check" : "no"))
                .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.objects() + (others == null ? "" : ":" + others))
                .env("GIT_GRAFT_FILE", repository.graft(from.id()).toString())
                .set("advice.graftFileDeprecated", "false");
        if (settings.isTracked(remote, ref)) {
            // By name, git would note the fence among the remote's branches, and what it points to goes away with
            // our own repository. By URL it notes nothing.
            settings.nameRemote(command, remote, remote.url());
            return push(command, remote.url(), ref, from, to, refspecs);
        }
        return push(command, remote.given(), ref, from, to, refspecs);
    }

    /** Moves the fence and makes another ref, but is overtaken after it has read where the fence is. */
    PushReport overtake(String ref, FenceCommit from, FenceCommit slow, FenceCommit fast, String other) {
        repository.hook(
                "pre-push", "exec git push --quiet --no-verify leasehold " + fast.id() + ":'" + ref + "' >&2\n");
        Git.Command command = ours("push", "--recurse-submodules=no").inEnglish();
        return push(command, "leasehold", ref, from, slow, List.of(slow.id() + ":" + other));
    }

    /** Removes those refs that are there. */
    void delete(List<String> candidates) {
        Git.Command command = ours("push", "--no-verify", "--recurse-submodules=no", "--", "leasehold");
        boolean any = false;
        for (String ref : candidates) {
            if (!list(ref).isEmpty()) {
                command.add(":" + ref);
                any = true;
            }
        }
        if (any) {
            command.inEnglish().run();
        }
    }

    /** What a ref points to, there. */
    List<String> list(String ref) {
        List<String> ids = new ArrayList<>();
        for (String line : asked(ours("ls-remote", "leasehold", ref)).out().split("\n", -1)) {
            if (line.endsWith("\t" + ref)) {
                ids.add(line.substring(0, line.indexOf('\t')));
            }
        }
        return ids;
    }

    private PushReport push(
            Git.Command command,
            String to,
            String ref,
            @Nullable FenceCommit from,
            FenceCommit next,
            List<String> refspecs) {
        // The last option is there because a git that does not know it is too old for atomic pushes over http.
        command.add("--atomic", "--porcelain", "--no-force-if-includes")
                .add("--force-with-lease=" + ref + ":" + (from == null ? "" : from.id()))
                .add("--", to, next.id() + ":" + ref);
        refspecs.forEach(command::add);
        return new PushReport(command.run());
    }

    private boolean isStill(Seen known) {
        Git.Answer answer = asked(ours("ls-remote", "leasehold", refs.primary(), refs.fallback()));
        List<String> found = new ArrayList<>();
        for (String line : answer.out().split("\n", -1)) {
            if (line.endsWith("\t" + refs.primary()) || line.endsWith("\t" + refs.fallback())) {
                found.add(line);
            }
        }
        return found.equals(List.of(known.commit.id() + "\t" + known.ref));
    }

    /** Both refs are looked at in one go, by pattern: a name that is not there would be an error. */
    private Optional<Seen> fetch(boolean tipOnly) {
        Git.Answer answer =
                asked(ours("fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head", "--no-auto-maintenance")
                        .add(tipOnly ? "--depth=1" : "--no-recurse-submodules")
                        .set("fetch.unpackLimit", "1000000")
                        .set("transfer.unpackLimit", "1000000")
                        .add("leasehold", "+" + refs.primary() + "*:" + refs.primary() + "*")
                        .add("+" + refs.fallback() + "*:" + refs.fallback() + "*"));
        if (!answer.ok()) {
            return Optional.empty();
        }
        Optional<String> primary = repository.ref(refs.primary());
        Optional<String> fallback = repository.ref(refs.fallback());
        if (primary.isPresent() && fallback.isPresent()) {
            throw new TargetUnavailableException(remote.shown() + " has two fences for " + refs.name() + ", "
                    + refs.primary() + " and " + refs.fallback()
                    + ", and it is not clear which one counts: nothing was pushed. Find out which writers used which,"
                    + " and delete the other");
        }
        String ref = primary.isPresent() ? refs.primary() : refs.fallback();
        return primary.or(() -> fallback).map(id -> new Seen(ref, parse(ref, id)));
    }

    private FenceCommit parse(String ref, String id) {
        try {
            return FenceCommit.parse(id, repository.read(id));
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    remote.shown() + ": " + ref + " is not a fence that this version can read (" + e.getMessage()
                            + "): nothing was pushed. Find out who wrote it before you remove it",
                    e);
        }
    }

    private Git.Command ours(String... words) {
        Git.Command command = git.in(repository.directory(), words);
        settings.applyTo(command, remote, repository.scratch());
        return command;
    }

    /** Asks the remote something. Over http it must be by packets: git's older way to push there is not atomic. */
    private Git.Answer asked(Git.Command command) {
        Path packets = repository.scratch().resolve("packets");
        if (remote.isHttp()) {
            command.env("GIT_TRACE_PACKET", packets.toString());
        }
        Git.Answer answer = command.inEnglish().run();
        // A shallow fetch that finds nothing to fetch ends with 1 and has nothing to say.
        boolean nothingThere = answer.code() == 1 && answer.err().isBlank();
        if (!answer.ok() && !nothingThere) {
            throw new TargetUnavailableException(
                    remote.shown() + " cannot be read: " + remote.hideSecretsIn(answer.words()));
        }
        if (remote.isHttp() && isEmpty(packets)) {
            throw new TargetUnavailableException(remote.shown()
                    + " is served as plain files, and pushes to it cannot be atomic: nothing was pushed");
        }
        return answer;
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw new TargetUnavailableException(
                    "what git said to the remote cannot be read: " + Disk.explain(e, file) + ". Nothing was pushed", e);
        }
    }

    @Override
    public void close() {
        repository.close();
    }
}
