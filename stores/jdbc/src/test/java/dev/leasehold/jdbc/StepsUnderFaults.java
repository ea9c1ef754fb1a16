package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Steps of a store that may fail at any point, and what must hold after each. */
final class StepsUnderFaults {
    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);

    private StepsUnderFaults() {}

    /** A step of a store, and a check of its answer. Uses its own names. */
    @FunctionalInterface
    interface Step {
        /**
         * Prepares without faults. The result makes the call, with faults, and checks the outcome
         * without.
         */
        CheckedCall prepare(LeaseStore store);
    }

    interface CheckedCall {
        Object call();

        void check(Object answer);

        /** Checks the store after a failure, which says nothing about the outcome. */
        default void checkAfterFailure() {}
    }

    static CheckedCall acquire(LeaseStore store) {
        LeaseName name = name();
        AttemptId attempt = attempt();
        return new CheckedCall() {
            @Override
            public Object call() {
                return store.acquire(name, attempt, HOLDER, LONG);
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isInstanceOf(Acquisition.Granted.class);
                assertThat(store.inspect(name).orElseThrow().lease().owner().attempt())
                        .isEqualTo(attempt);
                assertThat(((Acquisition.Granted) answer).grant().token().value())
                        .isEqualTo(1);
            }

            @Override
            public void checkAfterFailure() {
                check(call());
            }
        };
    }

    static CheckedCall acquireBusy(LeaseStore store) {
        LeaseName name = name();
        Grant theirs = granted(store, name);
        return new CheckedCall() {
            @Override
            public Object call() {
                store.acquire(name, attempt(), HOLDER, LONG);
                // A second request, as from a client that polls.
                return store.acquire(name, attempt(), HOLDER, LONG);
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isInstanceOf(Acquisition.Busy.class);
                assertThat(store.inspect(name).orElseThrow().lease().token()).isEqualTo(theirs.token());
            }

            @Override
            public void checkAfterFailure() {
                check(call());
            }
        };
    }

    static CheckedCall renew(LeaseStore store) {
        Grant grant = granted(store, name());
        Grant stale = released(store);
        return new CheckedCall() {
            @Override
            public Object call() {
                return store.renew(List.of(new RenewRequest(grant, LONG), new RenewRequest(stale, LONG)));
            }

            @Override
            public void check(Object answer) {
                List<?> each = (List<?>) answer;
                assertThat(each.get(0)).isInstanceOf(Renewal.Renewed.class);
                assertThat(each.get(1)).isNotInstanceOf(Renewal.Renewed.class);
                assertThat(store.inspect(grant.name()).orElseThrow().isFree()).isFalse();
            }

            @Override
            public void checkAfterFailure() {
                check(call());
            }
        };
    }

    static CheckedCall release(LeaseStore store) {
        Grant grant = granted(store, name());
        return new CheckedCall() {
            @Override
            public Object call() {
                return store.release(grant, Duration.ZERO);
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isInstanceOf(Release.Released.class);
                assertThat(store.inspect(grant.name()).orElseThrow().isFree()).isTrue();
            }

            @Override
            public void checkAfterFailure() {
                store.release(grant, Duration.ZERO);
                assertThat(store.inspect(grant.name()).orElseThrow().isFree()).isTrue();
            }
        };
    }

    static CheckedCall zombie(LeaseStore store) {
        Grant stale = released(store);
        Grant successor = granted(store, stale.name());
        return new CheckedCall() {
            @Override
            public Object call() {
                assertThat(store.release(stale, Duration.ZERO)).isInstanceOf(Release.NotCurrent.class);
                assertThat(store.progress(stale, Note.of("late"), null)).isNotInstanceOf(ProgressReport.Noted.class);
                store.abandon(stale.name(), attempt());
                return store.renew(List.of(new RenewRequest(stale, LONG)));
            }

            @Override
            public void check(Object answer) {
                assertThat((List<?>) answer).noneMatch(Renewal.Renewed.class::isInstance);
                checkAfterFailure();
            }

            @Override
            public void checkAfterFailure() {
                assertThat(store.inspect(stale.name()).orElseThrow().isFree()).isFalse();
                assertThat(store.inspect(stale.name()).orElseThrow().lease().token())
                        .isEqualTo(successor.token());
            }
        };
    }

    static CheckedCall progress(LeaseStore store) {
        Grant grant = granted(store, name());
        return new CheckedCall() {
            @Override
            public Object call() {
                return store.progress(grant, Note.of("half"), null);
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isInstanceOf(ProgressReport.Noted.class);
            }

            @Override
            public void checkAfterFailure() {
                check(call());
            }
        };
    }

    static CheckedCall reads(LeaseStore store) {
        Grant grant = granted(store, name());
        return new CheckedCall() {
            @Override
            public Object call() {
                List<Object> seen = new ArrayList<>();
                seen.add(store.inspect(grant.name()).orElseThrow().lease().token());
                seen.add(store.list(grant.name().value(), "", 10).size());
                seen.add(store.history(grant.name(), 10).size());
                seen.add(store.register().keys("no such key", "", 10).size());
                seen.add(store.register().read("no such key").version());
                return seen;
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isEqualTo(List.of(grant.token(), 1, 1, 0, CasRegister.ABSENT));
            }

            @Override
            public void checkAfterFailure() {
                check(call());
            }
        };
    }

    static CheckedCall compareAndSet(LeaseStore store) {
        CasRegister register = store.register();
        String key = name().value();
        register.compareAndSet(key, CasRegister.ABSENT, "before");
        String version = register.read(key).version();
        return new CheckedCall() {
            @Override
            public Object call() {
                return List.of(
                        register.compareAndSet(key, version, "mine"),
                        register.compareAndSet(key, version, "stale"),
                        register.compareAndSet(key + "/new", CasRegister.ABSENT, "mine"));
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isEqualTo(List.of(true, false, true));
                assertThat(register.read(key).value()).contains("mine");
                assertThat(register.read(key + "/new").value()).contains("mine");
            }

            @Override
            public void checkAfterFailure() {
                assertThat(register.read(key).value().orElseThrow()).isIn("before", "mine");
            }
        };
    }

    static CheckedCall remove(LeaseStore store) {
        CasRegister register = store.register();
        String key = name().value();
        register.compareAndSet(key, CasRegister.ABSENT, "before");
        String version = register.read(key).version();
        return new CheckedCall() {
            @Override
            public Object call() {
                return register.remove(key, version);
            }

            @Override
            public void check(Object answer) {
                assertThat(answer).isEqualTo(true);
                assertThat(register.read(key).value()).isEmpty();
            }

            @Override
            public void checkAfterFailure() {
                register.remove(key, version);
                assertThat(register.read(key).value()).isEmpty();
            }
        };
    }

    private static Grant released(LeaseStore store) {
        Grant grant = granted(store, name());
        store.release(grant, Duration.ZERO);
        return grant;
    }

    static Grant granted(LeaseStore store, LeaseName name) {
        return ((Acquisition.Granted) store.acquire(name, attempt(), HOLDER, LONG)).grant();
    }

    static LeaseName name() {
        return LeaseName.of("throwing-" + UUID.randomUUID());
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }
}
