package dev.leasehold;

import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.FaultyLeaseStore;
import dev.leasehold.testkit.ManualContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The engine of one process in virtual time, with its network, its store and a rival. */
public final class EngineFixture {
    public static final LeaseName JOB = LeaseName.of("job");
    /** Trusted for 81 s, renewed every 30 s. */
    static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(90));

    public final ManualContext manual = new ManualContext();
    public final MemoryLeaseStore memory = freshStore();
    final Map<String, Integer> calls = new HashMap<>();
    final List<String> events = new ArrayList<>();
    public final Rival rival = new Rival(memory);
    public final FaultyLeaseStore network;
    public final Leases leases;
    private LeaseStore behind = memory;
    private UnaryOperator<List<?>> renewals = answers -> answers;

    public EngineFixture() {
        network = new FaultyLeaseStore(proxy((method, args) -> method.invoke(behind, args)), manual.timers());
        leases = Leases.over(proxy((method, args) -> {
                    calls.merge(method.getName(), 1, Integer::sum);
                    Object answer = method.invoke(network, args);
                    return method.getName().equals("renew") ? renewals.apply((List<?>) answer) : answer;
                }))
                .context(manual.context())
                .holder(Holder.of("us"))
                .terms(TERMS)
                .listener(new Listener())
                .build();
    }

    private interface Call {
        Object make(Method method, Object[] args) throws ReflectiveOperationException;
    }

    private static LeaseStore proxy(Call call) {
        return (LeaseStore) Proxy.newProxyInstance(
                EngineFixture.class.getClassLoader(), new Class<?>[] {LeaseStore.class}, (proxy, method, args) -> {
                    try {
                        return call.make(method, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    public MemoryLeaseStore freshStore() {
        return new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    }

    /** Puts another store behind the network, as a restore from an old backup would. */
    public void replaceStore(LeaseStore other) {
        behind = other;
    }

    /** Lets the store give wrong answers to renewals. */
    void replaceRenewals(UnaryOperator<List<?>> change) {
        renewals = change;
    }

    public Lease hold() {
        return hold(TERMS);
    }

    public Lease hold(LeaseTerms terms) {
        return leases.tryAcquire(JOB, terms).lease().orElseThrow();
    }

    public void advance(Duration duration) {
        manual.advance(duration);
    }

    void advanceSeconds(long seconds) {
        manual.advance(Duration.ofSeconds(seconds));
    }

    Duration elapsed() {
        return manual.timers().elapsed();
    }

    /** The number of calls that the holder made, whether or not they reached the store. */
    int calls(String method) {
        return calls.getOrDefault(method, 0);
    }

    private final class Listener implements LeaseListener {
        @Override
        public void acquired(Lease lease, Transfer transfer) {
            events.add("acquired " + transfer.token());
        }

        @Override
        public void skipped(LeaseName name, AcquireResult.Busy busy) {
            events.add("skipped " + busy.holder());
        }

        @Override
        public void renewed(Lease lease, Duration gap) {
            events.add("renewed " + gap.toSeconds());
        }

        @Override
        public void lost(Lease lease, Loss loss) {
            events.add("lost " + loss.kind().word());
        }

        @Override
        public void released(Lease lease, Release release) {
            events.add(release.getClass().getSimpleName());
        }

        @Override
        public void releaseFailed(Lease lease, StoreUnavailableException failure) {
            events.add("release failed");
        }
    }
}
