package dev.leasehold.git;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Seen;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A git repository, reached by a remote, that a stale token cannot push to through Leasehold. Each lease has a fence of its
 * own there; the package's comment tells how it works.
 *
 * <p>Needs git 2.32 or later here, and at the remote a server that does atomic pushes. Safe for use by many threads.
 *
 * <p>What it does not do: stop a plain {@code git push}, or pushes under another lease name. A push that git or the server
 * rejects for reasons of its own is {@link Admission.Rejected}; when the remote cannot be reached the answer is a {@link
 * TargetUnavailableException} that says whether anything can have landed.
 */
public final class GitFence implements Fence<GitPush> {
    /** Each time somebody else's step got through, so this many lost races in a row take many writers under one grant. */
    private static final int MAX_TRIES = 60;

    private static final int LONGEST_PAUSE_MILLIS = 100;

    private final Path directory;
    private final Map<String, String> environment;
    private final String remote;
    private final Consumer<String> notices;
    private final boolean observing;
    private final Map<LeaseName, Seen> known = new ConcurrentHashMap<>();

    private GitFence(
            Path directory,
            Map<String, String> environment,
            String remote,
            Consumer<String> notices,
            boolean observing) {
        this.directory = directory;
        this.environment = environment;
        this.remote = remote;
        this.notices = notices;
        this.observing = observing;
    }

    /**
     * The repository behind a remote.
     *
     * @param directory in the repository that is pushed from; to raise alone, any directory
     * @param remote the name of a configured remote, a URL or a path
     */
    public static GitFence at(Path directory, String remote) {
        return new GitFence(directory, System.getenv(), remote, notice -> {}, false);
    }

    /** The same with another environment for git, and with somebody who is told what is worth a line. */
    public GitFence with(Map<String, String> gitEnvironment, Consumer<String> listener) {
        return new GitFence(directory, gitEnvironment, remote, listener, observing);
    }

    /** The same repository, only observed: a push that should be refused lands, and the answer tells it. It guards nothing. */
    public GitFence observing() {
        return new GitFence(directory, environment, remote, notices, true);
    }

    @Override
    public Admission raise(Grant grant) {
        try (RemoteFence fence = open(grant)) {
            return step(fence, grant, null, false);
        }
    }

    @Override
    public Admission admit(Grant grant, GitPush push) {
        return push(grant, push, false);
    }

    @Override
    public Admission admitOnce(Grant grant, GitPush push) {
        return push(grant, push, true);
    }

    /** What the fence of a lease remembers, or empty if there is none. */
    public Optional<FenceState> state(LeaseName name) {
        try (RemoteFence fence = RemoteFence.open(directory, environment, remote, name)) {
            return fence.look(null).map(seen -> seen.commit().state());
        }
    }

    private Admission push(Grant grant, GitPush push, boolean once) {
        try (RemoteFence fence = open(grant)) {
            ResolvedPush resolved = ResolvedPush.of(fence.git(), push, once);
            return step(fence, grant, resolved, once);
        }
    }

    /** Whether a remote of this name is configured where the user is; false if there is no git to ask. */
    public static boolean isConfigured(Path directory, Map<String, String> environment, String name) {
        try (PrivateRepository repository = PrivateRepository.create()) {
            return GitSettings.read(new Git(directory, environment, repository.scratch()))
                    .isRemote(name);
        } catch (TargetUnavailableException e) {
            return false;
        }
    }

    private RemoteFence open(Grant grant) {
        return RemoteFence.open(directory, environment, remote, grant.name());
    }

    /** Looks, judges and moves, again and again while others are faster. */
    private Admission step(RemoteFence fence, Grant grant, @Nullable ResolvedPush push, boolean once) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            pause(tries);
            Optional<Seen> found = fence.look(known.get(grant.name()));
            if (found.isEmpty()) {
                // A fence is born alone and looked at again: only so can two writers never take two refs for it.
                new FenceBirth(fence, notices).give(grant);
                continue;
            }
            Seen seen = found.get();
            known.put(grant.name(), seen);
            FenceState before = seen.commit().state();
            FenceDecision decision = judge(fence, before, grant, push, once);
            boolean raisedAlready = push == null && decision.after().equals(before);
            if (raisedAlready || !(decision instanceof FenceDecision.Admit)) {
                return decision.answer();
            }
            FenceMove move = new FenceMove(fence, grant, seen, decision.after(), push);
            switch (move.make()) {
                case LANDED -> {
                    known.put(grant.name(), move.landed());
                    move.remarks()
                            .forEach(remark -> notices.accept(fence.remote().hideSecretsIn(remark)));
                    return decision.answer();
                }
                case REJECTED -> {
                    return rejected(fence, move.rejection(), push);
                }
                case TOO_LATE -> {}
            }
        }
        throw new TargetUnavailableException(
                fence.remote().shown() + ": the fence of " + grant.name() + " could not be" + " moved in " + MAX_TRIES
                        + " tries, others were faster or the server cannot lock it: nothing was pushed");
    }

    private static Admission rejected(RemoteFence fence, Admission.Rejected rejection, @Nullable ResolvedPush push) {
        if (push == null) {
            throw new TargetUnavailableException(
                    fence.remote().shown() + " does not let the fence be moved: " + rejection.words());
        }
        return rejection;
    }

    /** The answer, if no other writer moves the fence first. A raise writes nothing, so it is never only observed. */
    private FenceDecision judge(
            RemoteFence fence, FenceState state, Grant grant, @Nullable ResolvedPush push, boolean once) {
        String onceDigest = push != null && once ? push.digest() : null;
        String target = fence.remote().shown();
        return observing && push != null
                ? state.observe(grant, target, onceDigest)
                : state.judge(grant, target, onceDigest);
    }

    private static void pause(int tries) {
        if (tries < 2) {
            return;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(new SystemIds().below(LONGEST_PAUSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetUnavailableException("interrupted between two tries: nothing was pushed", e);
        }
    }
}
