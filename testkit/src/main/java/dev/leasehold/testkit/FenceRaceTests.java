package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Fence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Concurrent writers. Part of {@link FenceContract}. */
abstract class FenceRaceTests<W> {
    private static final int WRITERS = 6;
    /** Long enough that a reader would see parts of a write in place. */
    private static final int LENGTH = 20_000;

    private final FenceContract<W> contract;

    FenceRaceTests(FenceContract<W> contract) {
        this.contract = contract;
    }

    @Test
    void contentOfRacingWritersIsWholeAndOfTheHighestToken() throws Exception {
        List<Fence<W>> clients = List.of(contract.fence, contract.openFence());
        AtomicBoolean writing = new AtomicBoolean(true);
        AtomicLong highest = new AtomicLong();
        AtomicInteger writers = new AtomicInteger(WRITERS);
        try (Racers racers = new Racers(WRITERS + 1)) {
            racers.race(i -> {
                if (i == WRITERS) {
                    return watch(writing);
                }
                try {
                    return writeUnderRisingTokens(i, clients.get(i % 2), highest);
                } finally {
                    if (writers.decrementAndGet() == 0) {
                        writing.set(false);
                    }
                }
            });
        }
        assertThat(tokenOf(contract.read().orElseThrow())).isEqualTo(highest.get());
    }

    /** Each writer uses tokens of its own, so a lower token often arrives after a higher one. */
    private boolean writeUnderRisingTokens(int writer, Fence<W> client, AtomicLong highest) {
        for (int i = 0; i < contract.writesOfEachRacer(); i++) {
            long token = 1L + writer + (long) i * WRITERS;
            long admittedBefore = highest.get();
            Admission answer = i % 3 == 0
                    ? client.admitOnce(FenceContract.grant(token), contract.write(whole(token)))
                    : client.admit(FenceContract.grant(token), contract.write(whole(token)));
            if (answer instanceof Admission.Admitted) {
                assertThat(token).as("admitted after a higher one").isGreaterThan(admittedBefore);
                highest.accumulateAndGet(token, Math::max);
            } else {
                assertThat(answer).isInstanceOf(Admission.Stale.class);
            }
        }
        return true;
    }

    /** A reader never sees an older token after a newer one, nor a mixture of two contents. */
    private boolean watch(AtomicBoolean writing) {
        long seen = 0;
        while (writing.get()) {
            String content = contract.read().orElse("");
            if (!content.isEmpty()) {
                long token = tokenOf(content);
                assertThat(token).as("content went back").isGreaterThanOrEqualTo(seen);
                seen = token;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    @Test
    void oneOfManyOnceWritesUnderOneGrantIsAdmitted() throws Exception {
        List<Fence<W>> clients = List.of(contract.fence, contract.openFence());
        Grant grant = FenceContract.grant(1);
        try (Racers racers = new Racers(WRITERS)) {
            List<Admission> answers =
                    racers.race(i -> clients.get(i % 2).admitOnce(grant, contract.write("of writer " + i)));
            assertThat(answers).filteredOn(Admission.Admitted.class::isInstance).hasSize(1);
            assertThat(answers).filteredOn(Admission.OnceUsed.class::isInstance).hasSize(WRITERS - 1);
            int winner = answers.indexOf(new Admission.Admitted(grant.token()));
            contract.assertContent("of writer " + winner);
        }
    }

    @Test
    void concurrentRetriesConvergeToOneWrite() throws Exception {
        List<Fence<W>> clients = List.of(contract.fence, contract.openFence());
        Grant grant = FenceContract.grant(1);
        try (Racers racers = new Racers(WRITERS)) {
            List<Admission> answers = racers.race(i -> clients.get(i % 2).admitOnce(grant, contract.write("the same")));
            assertThat(answers).filteredOn(Admission.Admitted.class::isInstance).hasSize(1);
            assertThat(answers)
                    .filteredOn(Admission.AlreadyWritten.class::isInstance)
                    .hasSize(WRITERS - 1);
            contract.assertContent("the same");
        }
    }

    private static String whole(long token) {
        return (token + ";").repeat(LENGTH / 2);
    }

    private static long tokenOf(String content) {
        String first = content.substring(0, content.indexOf(';'));
        long token = Long.parseLong(first);
        assertThat(content.equals(whole(token)))
                .as("content that begins with %s is whole", first)
                .isTrue();
        return token;
    }
}
