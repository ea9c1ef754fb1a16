package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records what racing clients saw, and checks it. Calls that overlapped may have happened in either
 * order, so the check uses only what one client saw <em>after</em> the call of another had ended.
 * So the result does not depend on timing.
 */
final class RaceLog {
    enum Kind {
        /** Ownership moved to this token. */
        GRANTED,
        /** The store reported this token as the current one. */
        SEEN,
        RENEWED,
        RELEASED,
        ABANDONED,
        PROGRESSED
    }

    private record Event(Kind kind, LeaseName name, long token, long began, long ended) {}

    private final AtomicLong clock = new AtomicLong();
    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<NamedTransfer> grants = new ConcurrentLinkedQueue<>();

    private record NamedTransfer(LeaseName name, Transfer transfer) {}

    /** Call it before an operation. */
    long begin() {
        return clock.incrementAndGet();
    }

    /** Call it after the operation. */
    void add(Kind kind, LeaseName name, FencingToken token, long began) {
        events.add(new Event(kind, name, token.value(), began, clock.incrementAndGet()));
    }

    void granted(Grant grant, Transfer transfer, long began) {
        grants.add(new NamedTransfer(grant.name(), transfer));
        add(Kind.GRANTED, grant.name(), grant.token(), began);
    }

    /** @param history the history that the store returns for the name, newest first */
    void check(LeaseName name, FencingToken current, List<Transfer> history) {
        List<Event> ofName = new ArrayList<>();
        for (Event event : events) {
            if (event.name.equals(name)) {
                ofName.add(event);
            }
        }
        NavigableMap<Long, Transfer> owners = checkUniqueness(name);
        checkHandovers(owners, ofName);
        checkOrder(ofName);
        assertThat(owners.lastKey())
                .as("the highest token that was granted is the current one")
                .isEqualTo(current.value());
        assertThat(owners).as("no token is skipped").hasSize((int) (current.value() - owners.firstKey() + 1));
        for (Transfer kept : history) {
            assertThat(owners.get(kept.token().value()))
                    .as("history of token %s", kept.token())
                    .isEqualTo(kept);
        }
    }

    private NavigableMap<Long, Transfer> checkUniqueness(LeaseName name) {
        TreeMap<Long, Transfer> owners = new TreeMap<>();
        for (NamedTransfer grant : grants) {
            if (grant.name.equals(name)) {
                Transfer other = owners.put(grant.transfer.token().value(), grant.transfer);
                AttemptId attempt = grant.transfer.attempt();
                assertThat(other == null || other.attempt().equals(attempt))
                        .as("token %s was granted to %s and to %s", grant.transfer.token(), attempt, other)
                        .isTrue();
            }
        }
        return owners;
    }

    /**
     * No lease expired in the race, so an ordinary grant needs a predecessor that was released or
     * cancelled.
     */
    private static void checkHandovers(NavigableMap<Long, Transfer> owners, List<Event> events) {
        Set<Long> freed = new HashSet<>();
        Map<Long, Integer> released = new HashMap<>();
        for (Event event : events) {
            if (event.kind == Kind.RELEASED || event.kind == Kind.ABANDONED) {
                freed.add(event.token);
            }
            if (event.kind == Kind.RELEASED) {
                released.merge(event.token, 1, Integer::sum);
            }
        }
        assertThat(released.values())
                .as("releases of one token that were reported as the first")
                .allMatch(n -> n == 1);
        owners.forEach((token, transfer) -> {
            TransferReason reason = transfer.reason();
            if (reason == TransferReason.TAKEOVER || reason == TransferReason.CANCELLED) {
                return;
            }
            assertThat(reason)
                    .as("of token %s", token)
                    .isEqualTo(token == 1 ? TransferReason.FIRST : TransferReason.RELEASED);
            Transfer before = owners.get(token - 1);
            boolean free = before == null || before.reason() == TransferReason.CANCELLED || freed.contains(token - 1);
            assertThat(free)
                    .as("token %s was granted while %s was held", token, before)
                    .isTrue();
        });
    }

    private static void checkOrder(List<Event> events) {
        for (Event later : events) {
            for (Event earlier : events) {
                if (earlier.ended >= later.began || later.kind == Kind.ABANDONED) {
                    continue;
                }
                if (earlier.kind == Kind.GRANTED || earlier.kind == Kind.SEEN) {
                    assertThat(later.token)
                            .as("%s after %s: a token came back", later, earlier)
                            .isGreaterThanOrEqualTo(earlier.token);
                }
                boolean over = earlier.kind == Kind.RELEASED && earlier.token == later.token;
                if (over && later.kind != Kind.SEEN && later.kind != Kind.GRANTED) {
                    throw new AssertionError(later + " after " + earlier + ": a released grant was used");
                }
            }
        }
    }
}
