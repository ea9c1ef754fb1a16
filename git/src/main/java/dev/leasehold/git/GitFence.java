package dev.leasehold.git;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.git.RemoteFence.Tip;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A git repository, named by a remote, to which a stale token cannot push through Leasehold. Each
 * lease has a separate fence in the repository; the package comment explains the protocol.
 *
 * <p>Needs git 2.32 or later on this machine, and a server that supports atomic pushes. Safe for
 * use by many threads.
 *
 * <p>It does not stop a plain {@code git push}, or pushes under another lease name. If git or the
 * server rejects a push for another reason, the answer is {@link Admission.Rejected}. If the remote
 * cannot be reached, a {@link TargetUnavailableException} says whether anything may have landed.
 */
public final class GitFence implements Fence<GitPush> {
    /**
     * Each lost race means that another writer got through, so it takes many writers under one
     * grant to lose this often.
     */
    private static final int MAX_TRIES = 60;

    private static final int LONGEST_PAUSE_MILLIS = 100;

    private final Path directory;
    private final Map<String, String> environment;
    private final String remote;
    private final Consumer<String> notices;
    private final boolean observing;
    private final Consumer<FenceState> look;
    private final Map<LeaseName, Tip> known = new ConcurrentHashMap<>();

    private GitFence(
            Path directory,
            Map<String, String> environment,
            String remote,
            Consumer<String> notices,
            boolean observing,
            Consumer<FenceState> look) {
        this.directory = directory;
        this.environment = environment;
        this.remote = remote;
        this.notices = notices;
        this.observing = observing;
        this.look = look;
    }

    /**
     * The repository behind a remote.
     *
     * @param directory a directory of the repository that is pushed from; any directory, if the
     *     fence is only raised
     * @param remote the name of a configured remote, a URL or a path
     */
    public static GitFence at(Path directory, String remote) {
        return new GitFence(directory, System.getenv(), remote, notice -> {}, false, state -> {});
    }

    /**
     * The same repository, with another environment for git and a listener for one-line notices.
     */
    public GitFence with(Map<String, String> gitEnvironment, Consumer<String> listener) {
        return new GitFence(directory, gitEnvironment, remote, listener, observing, look);
    }

    /**
     * The same repository, observed and not guarded: a push that would be refused lands, and the
     * answer says so.
     */
    public GitFence observing() {
        return new GitFence(directory, environment, remote, notices, true, look);
    }

    /**
     * The same repository, with a look at the state of a fence before each decision. If the look
     * throws, the step fails and changes nothing.
     */
    public GitFence looking(Consumer<FenceState> newLook) {
        return new GitFence(directory, environment, remote, notices, observing, newLook);
    }

    /** Where pushes go. It may contain a password, so never print it. */
    public String url() {
        try (PrivateRepository repository = PrivateRepository.create()) {
            Git git = new Git(directory, environment, repository.scratch());
            return RemoteAddress.resolve(git, GitSettings.read(git), remote).url();
        }
    }

    @Override
    public Admission raise(Grant grant) {
        try (RemoteFence fence = open(grant)) {
            return attempt(fence, grant, null, before -> judge(fence, before, grant, null, false));
        }
    }

    @Override
    public Admission rebind(Grant grant) {
        try (RemoteFence fence = open(grant)) {
            RemoteTarget target = RemoteTarget.of(fence);
            if (fence.read(null).isEmpty()) {
                throw new TargetUnavailableException(target + " has no fence of " + grant.name());
            }
            return attempt(fence, grant, null, before -> before.rebind(grant, target));
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

    /** The state of a lease's fence; empty if the lease has none here. */
    public Optional<FenceState> state(LeaseName name) {
        try (RemoteFence fence = RemoteFence.open(directory, environment, remote, name)) {
            return fence.read(null).map(tip -> tip.commit().state());
        }
    }

    private Admission push(Grant grant, GitPush push, boolean once) {
        try (RemoteFence fence = open(grant)) {
            ResolvedPush resolved = ResolvedPush.of(fence.git(), push, once);
            return attempt(fence, grant, resolved, before -> judge(fence, before, grant, resolved, once));
        }
    }

    /** The names of the remotes of this directory; none if git cannot be run. */
    public static List<String> remotes(Path directory, Map<String, String> environment) {
        try (PrivateRepository repository = PrivateRepository.create()) {
            return GitSettings.read(new Git(directory, environment, repository.scratch()))
                    .remotes();
        } catch (TargetUnavailableException e) {
            return List.of();
        }
    }

    private RemoteFence open(Grant grant) {
        return RemoteFence.open(directory, environment, remote, grant.name());
    }

    /** Reads, judges and moves the fence, and starts again whenever another writer was faster. */
    private Admission attempt(
            RemoteFence fence, Grant grant, @Nullable ResolvedPush push, Function<FenceState, FenceDecision> rule) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            pause(tries);
            Optional<Tip> found = fence.read(known.get(grant.name()));
            if (found.isEmpty()) {
                // The new fence is read before it is used, so that two writers never use two
                // different refs.
                new FenceCreator(fence, notices).create(grant);
                continue;
            }
            Tip tip = found.get();
            known.put(grant.name(), tip);
            FenceState before = tip.commit().state();
            look.accept(before);
            FenceDecision decision = rule.apply(before);
            boolean raisedAlready = push == null && decision.after().equals(before);
            if (raisedAlready || !(decision instanceof FenceDecision.Admit)) {
                return decision.answer();
            }
            FenceUpdate update = new FenceUpdate(fence, grant, tip, decision.after(), push);
            switch (update.send()) {
                case LANDED -> {
                    known.put(grant.name(), update.landed());
                    update.serverMessages()
                            .forEach(line -> notices.accept(fence.remote().hideSecretsIn(line)));
                    return decision.answer();
                }
                case REJECTED -> {
                    return rejected(fence, update.rejection(), push);
                }
                case TOO_LATE -> {}
            }
        }
        throw new TargetUnavailableException(
                fence.remote().shown() + ": the fence of " + grant.name() + " could not be moved in " + MAX_TRIES
                        + " attempts: nothing was pushed. Other writers were faster, or the server cannot lock the ref");
    }

    private static Admission rejected(RemoteFence fence, Admission.Rejected rejection, @Nullable ResolvedPush push) {
        if (push == null) {
            throw new TargetUnavailableException(
                    fence.remote().shown() + " rejects every update of the fence: " + rejection.words());
        }
        return rejection;
    }

    /**
     * The answer, if no other writer moves the fence first. A raise writes nothing, so it is never
     * only observed.
     */
    private FenceDecision judge(
            RemoteFence fence, FenceState state, Grant grant, @Nullable ResolvedPush push, boolean once) {
        String onceDigest = push != null && once ? push.digest() : null;
        RemoteTarget target = RemoteTarget.of(fence);
        return observing && push != null
                ? state.observe(grant, target, onceDigest)
                : state.judge(grant, target, onceDigest);
    }

    /** A remote in messages. One repository has the fences of several leases. */
    private record RemoteTarget(String shown, LeaseName name) implements FenceState.Rebindable {
        static RemoteTarget of(RemoteFence fence) {
            return new RemoteTarget(fence.remote().shown(), fence.refs().name());
        }

        @Override
        public String onCommandLine() {
            return shown + " --name " + name;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    private static void pause(int tries) {
        if (tries < 2) {
            return;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(new SystemIds().below(LONGEST_PAUSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetUnavailableException("interrupted between two attempts: nothing was pushed", e);
        }
    }
}
