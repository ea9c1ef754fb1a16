package dev.leasehold.etcd;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.WrongFenceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keys in etcd that a stale token cannot change. The fence is a key of its own. A write is one transaction that compares
 * the revision of the fence, so nothing can happen between check and write.
 *
 * <p>A program with another etcd client adds {@link #condition} to its own transaction.
 *
 * <p>Safe for use by many threads and processes. It does not stop a program that writes the keys without asking the
 * fence.
 */
public final class EtcdFence implements Fence<EtcdWrite> {
    private static final String HEADER = "leasehold fence 1";
    /** No key has this revision. */
    private static final long NEVER = -1;

    /** The fence as it was read. */
    private record Known(@Nullable FenceState state, long revision) {}

    private final EtcdClient client;
    private final String key;
    /** What this fence saw last. If it is out of date, the transaction fails. */
    private volatile @Nullable Known latest;

    private EtcdFence(EtcdClient client, String key) {
        this.client = client;
        this.key = key;
    }

    /**
     * Opens a fence. It does not close the client.
     *
     * @param key the key in which etcd keeps the fence, such as {@code reports/leasehold-fence}; nothing else writes it
     */
    public static EtcdFence at(EtcdClient client, String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the key of the fence is empty: name one");
        }
        return new EtcdFence(client, key);
    }

    /**
     * What a transaction of the caller must contain, so that it takes effect only while the grant is not stale: compare
     * the mod revision of {@code key} with {@code revision}, and put {@code value} into it. If the comparison fails,
     * nothing was written: ask for the condition again.
     *
     * @param admission {@link Admission.Admitted}; otherwise the grant is refused, and the comparison never holds
     */
    public record Condition(Admission admission, String key, long revision, String value) {}

    /** Judges the grant for a transaction of the caller. */
    public Condition condition(Grant grant) {
        return guarded(() -> {
            Known known = read();
            FenceDecision decision = judge(known, grant, null);
            boolean admitted = decision instanceof FenceDecision.Admit;
            return new Condition(decision.answer(), key, admitted ? known.revision : NEVER, text(decision.after()));
        });
    }

    @Override
    public Admission raise(Grant grant) {
        return step(null, known -> judge(known, grant, null));
    }

    @Override
    public Admission rebind(Grant grant) {
        return step(null, known -> {
            if (known.state == null) {
                throw new TargetUnavailableException(
                        this + " was never guarded, so there is nothing to bind to another store: raise it");
            }
            return known.state.rebind(grant, this);
        });
    }

    @Override
    public Admission admit(Grant grant, EtcdWrite write) {
        return step(write, known -> judge(known, grant, null));
    }

    @Override
    public Admission admitOnce(Grant grant, EtcdWrite write) {
        String digest = write.digest();
        return step(write, known -> judge(known, grant, digest));
    }

    private FenceDecision judge(Known known, Grant grant, @Nullable String onceDigest) {
        FenceState state = known.state == null ? FenceState.first(grant) : known.state;
        return state.judge(grant, this, onceDigest);
    }

    private Admission step(@Nullable EtcdWrite write, Function<Known, FenceDecision> rule) {
        if (write != null && write.changes(key)) {
            throw new IllegalArgumentException("the write changes " + this + " itself");
        }
        return guarded(() -> {
            Known known = latest;
            if (known != null && rule.apply(known) instanceof FenceDecision.Admit admit) {
                Optional<Admission> answer = transact(known, admit, write);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            return Contention.system().resolve(toString(), () -> tryStep(write, rule));
        });
    }

    private Optional<Admission> tryStep(@Nullable EtcdWrite write, Function<Known, FenceDecision> rule) {
        Known known = read();
        FenceDecision decision = rule.apply(known);
        return decision instanceof FenceDecision.Admit admit
                ? transact(known, admit, write)
                : Optional.of(decision.answer());
    }

    private Optional<Admission> transact(Known known, FenceDecision.Admit admit, @Nullable EtcdWrite write) {
        boolean raises = !admit.after().equals(known.state);
        List<Map<String, Object>> operations = new ArrayList<>(write == null ? List.of() : write.operations());
        if (raises) {
            operations.add(EtcdMessages.put(key, text(admit.after())));
        }
        Optional<String> revision = EtcdMessages.revision(client.call(
                "kv/txn",
                EtcdMessages.transaction(EtcdMessages.unchanged(key, known.revision), operations),
                EtcdClient.Repeat.NEVER));
        latest = revision.isEmpty() ? null : raises ? new Known(admit.after(), Long.parseLong(revision.get())) : known;
        return revision.map(made -> admit.answer());
    }

    private Known read() {
        List<EtcdKey> found =
                EtcdMessages.keys(client.call("kv/range", EtcdMessages.range(key), EtcdClient.Repeat.SAFE));
        if (found.isEmpty()) {
            return new Known(null, 0);
        }
        try {
            FenceState state = FenceText.read(Fields.parse(HEADER, found.get(0).value()));
            return new Known(state, found.get(0).revision());
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    this + " cannot be read; nothing was written. Do not delete it, or older tokens are admitted again:"
                            + " restore it from a backup",
                    e);
        }
    }

    private static String text(FenceState state) {
        return FenceText.write(HEADER, state).format();
    }

    private interface Guarded<T> {
        T call();
    }

    private <T> T guarded(Guarded<T> step) {
        try {
            return step.call();
        } catch (WrongFenceException e) {
            throw e;
        } catch (StoreUnavailableException e) {
            throw new TargetUnavailableException(
                    this + ": it is unknown whether it was written; write the same again: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "the fence " + key + " in etcd";
    }
}
