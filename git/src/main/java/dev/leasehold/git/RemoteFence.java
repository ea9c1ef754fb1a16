package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.FenceState;
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

/** Reads and moves the fence of one lease at one remote. */
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

    /** The ref that holds the fence, and the commit it points to. */
    record Tip(String ref, FenceCommit commit) {}

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
     * Reads the current tip of the fence.
     *
     * @param known the tip that was last read; if it has not changed, only its id is transferred
     */
    Optional<Tip> read(@Nullable Tip known) {
        if (known != null && isUnchanged(known)) {
            repository.store(known.ref, known.commit);
            return Optional.of(known);
        }
        return fetch(true);
    }

    /** Reads the current tip of the fence together with its history. */
    Optional<Tip> readWithHistory() {
        return fetch(false);
    }

    /** Whether a commit is the tip or one of its ancestors. */
    boolean contains(Tip tip, String id) {
        return privately("merge-base", "--is-ancestor", id, tip.commit.id())
                .run()
                .ok();
    }

    /** Creates the next commit of the fence in the private repository. */
    FenceCommit newCommit(@Nullable FenceCommit parent, FenceState state) {
        String text = FenceCommit.next(
                parent, repository.emptyTree(), state, new SystemIds().unique(), System.currentTimeMillis() / 1000);
        return FenceCommit.parse(repository.write("commit", text), text);
    }

    /** Pushes the fence alone. */
    PushReport push(String ref, @Nullable FenceCommit from, FenceCommit to) {
        Git.Command command = privately("push", "--no-verify", "--recurse-submodules=no");
        return push(command.inEnglish(), "leasehold", ref, from, to, List.of());
    }

    /**
     * Pushes the fence and the user's refs, from the user's repository and with the user's hooks.
     */
    PushReport push(String ref, FenceCommit from, FenceCommit to, List<String> refspecs) {
        String others = git.variable("GIT_ALTERNATE_OBJECT_DIRECTORIES");
        Git.Command command = git.here("push", "--recurse-submodules=" + (settings.checksSubmodules() ? "check" : "no"))
                .env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repository.objects() + (others == null ? "" : ":" + others))
                .env("GIT_GRAFT_FILE", repository.graft(from.id()).toString())
                .set("advice.graftFileDeprecated", "false");
        if (settings.isTracked(remote, ref)) {
            // Given the name of the remote, git would record the fence as a remote-tracking
            // branch, whose commit disappears with the private repository. Given the URL, git
            // records nothing.
            settings.defineRemote(command, remote, remote.url());
            return push(command, remote.url(), ref, from, to, refspecs);
        }
        return push(command, remote.given(), ref, from, to, refspecs);
    }

    /**
     * Pushes the fence and another ref, and lets another push move the fence after this one has
     * read it.
     */
    PushReport pushWhileOvertaken(String ref, FenceCommit from, FenceCommit slow, FenceCommit fast, String other) {
        repository.hook(
                "pre-push", "exec git push --quiet --no-verify leasehold " + fast.id() + ":'" + ref + "' >&2\n");
        Git.Command command = privately("push", "--recurse-submodules=no").inEnglish();
        return push(command, "leasehold", ref, from, slow, List.of(slow.id() + ":" + other));
    }

    /** Deletes those of the refs that exist at the remote. */
    void delete(List<String> candidates) {
        Git.Command command = privately("push", "--no-verify", "--recurse-submodules=no", "--", "leasehold");
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

    /** The ids that a ref points to at the remote: none or one. */
    List<String> list(String ref) {
        List<String> ids = new ArrayList<>();
        for (String line : query(privately("ls-remote", "leasehold", ref)).out().split("\n", -1)) {
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
        // A git that does not know --no-force-if-includes is too old for atomic pushes over http.
        command.add("--atomic", "--porcelain", "--no-force-if-includes")
                .add("--force-with-lease=" + ref + ":" + (from == null ? "" : from.id()))
                .add("--", to, next.id() + ":" + ref);
        refspecs.forEach(command::add);
        return new PushReport(command.run());
    }

    private boolean isUnchanged(Tip known) {
        Git.Result answer = query(privately("ls-remote", "leasehold", refs.primary(), refs.fallback()));
        List<String> found = new ArrayList<>();
        for (String line : answer.out().split("\n", -1)) {
            if (line.endsWith("\t" + refs.primary()) || line.endsWith("\t" + refs.fallback())) {
                found.add(line);
            }
        }
        return found.equals(List.of(known.commit.id() + "\t" + known.ref));
    }

    /**
     * Fetches both refs at once, by pattern: fetching a ref that does not exist would be an error.
     */
    private Optional<Tip> fetch(boolean tipOnly) {
        Git.Result answer = query(
                privately("fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head", "--no-auto-maintenance")
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
                    + ", and it is not clear which one is valid: nothing was pushed. Find out which writers used which"
                    + " ref, and delete the other one");
        }
        String ref = primary.isPresent() ? refs.primary() : refs.fallback();
        return primary.or(() -> fallback).map(id -> new Tip(ref, parse(ref, id)));
    }

    private FenceCommit parse(String ref, String id) {
        try {
            return FenceCommit.parse(id, repository.read(id));
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    remote.shown() + ": " + ref + " is not a fence that this version can read (" + e.getMessage()
                            + "): nothing was pushed. Find out who wrote it before you delete it",
                    e);
        }
    }

    private Git.Command privately(String... words) {
        Git.Command command = git.in(repository.directory(), words);
        settings.applyTo(command, remote, repository.scratch());
        return command;
    }

    /**
     * Runs a command that reads from the remote. Over http, the server must speak git's packet
     * protocol: pushes to plain files are not atomic.
     */
    private Git.Result query(Git.Command command) {
        Path packets = repository.scratch().resolve("packets");
        if (remote.isHttp()) {
            command.env("GIT_TRACE_PACKET", packets.toString());
        }
        Git.Result answer = command.inEnglish().run();
        // A shallow fetch that finds nothing to fetch exits with 1 and prints nothing.
        boolean nothingThere = answer.code() == 1 && answer.err().isBlank();
        if (!answer.ok() && !nothingThere) {
            throw new TargetUnavailableException(
                    remote.shown() + " cannot be read: " + remote.hideSecretsIn(answer.message()));
        }
        if (remote.isHttp() && isEmpty(packets)) {
            throw new TargetUnavailableException(
                    remote.shown() + " is served as plain files, so pushes to it cannot be atomic: nothing was pushed");
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
                    "the trace of git's packets cannot be read: " + Disk.explain(e, file) + ". Nothing was pushed", e);
        }
    }

    @Override
    public void close() {
        repository.close();
    }
}
