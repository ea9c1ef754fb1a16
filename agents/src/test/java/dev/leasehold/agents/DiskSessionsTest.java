package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSessionsTest {
    @TempDir
    Path directory;

    private static void see(SessionState state, String path) {
        state.see(new SessionState.Seen("", path, "hash", "stamp"));
    }

    private Path record() throws IOException {
        try (var files = Files.list(directory.resolve("sessions"))) {
            return files.filter(file -> !file.toString().endsWith(".lock")
                            && !file.toString().endsWith(".damaged"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void rememberEverythingAcrossCalls() throws Refusal {
        DiskSessions sessions = new DiskSessions(directory);
        String odd = "/a b\tc\nd=\u4e2d";
        sessions.change("s", state -> {
            see(state, odd);
            state.startReading(new SessionState.Reading("x", "call", odd, "h"));
            state.permit(new SessionState.Permit("x", 5, true, odd));
            state.mainStopped(true);
            return 0;
        });

        String text = new DiskSessions(directory).change("s", state -> {
            assertThat(state.seen("", odd)).isEqualTo("hash");
            assertThat(state.seen("x", odd)).isNull();
            assertThat(state.permit(odd)).isEqualTo(new SessionState.Permit("x", 5, true, odd));
            assertThat(state.mainStopped()).isTrue();
            return state.format();
        });
        assertThat(SessionState.parse(text).format()).isEqualTo(text);
        boolean known = new DiskSessions(directory).change("other", state -> state.seen("", odd) != null);
        assertThat(known).isFalse();
    }

    @Test
    void aDamagedRecordIsRefusedAndPutAside() throws Exception {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            DiskSessions sessions = new DiskSessions(directory);
            sessions.change("s", state -> {
                see(state, "/a");
                return 0;
            });
            byte[] bytes = Files.readAllBytes(record());
            if (i % 2 == 0) {
                bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            }
            Files.write(record(), bytes);

            assertThatThrownBy(() -> sessions.change("s", state -> 0))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("damaged");
            boolean seen = sessions.change("s", state -> state.seen("", "/a") != null);
            assertThat(seen).isFalse();
        }
    }

    @Test
    void changesOfOneSessionDoNotOverlap() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String path = "/file" + i;
            results.add(threads.submit(() -> new DiskSessions(directory, Duration.ofMinutes(1)).change("s", state -> {
                see(state, path);
                return 0;
            })));
        }
        for (Future<Integer> result : results) {
            result.get();
        }
        threads.shutdown();
        int seen = new DiskSessions(directory)
                .change("s", state -> state.seenBy("").size());
        assertThat(seen).isEqualTo(100);
    }

    @Test
    void aCallThatHasToWaitTooLongIsRefused() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Future<Integer> first = threads.submit(() -> new DiskSessions(directory).change("s", state -> {
            inside.countDown();
            try {
                finish.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return 0;
        }));
        inside.await();

        assertThatThrownBy(() -> new DiskSessions(directory, Duration.ofMillis(50)).change("s", state -> 0))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("has not ended in time");
        finish.countDown();
        first.get();
        threads.shutdown();
    }

    @Test
    void aDirectoryThatCannotBeWrittenIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> new DiskSessions(file).change("s", state -> 0))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("--state");
    }

    @Test
    void theRecordIsBounded() throws Refusal {
        String text = new DiskSessions(directory).change("s", state -> {
            for (int i = 0; i < 5000; i++) {
                see(state, "/file" + i);
                state.deny(FilePlace.of("/", "denied" + i));
            }
            return state.format();
        });
        assertThat(text.length()).isLessThan(200_000);
        assertThat(SessionState.parse(text).seen("", "/file4999")).isEqualTo("hash");
        assertThat(SessionState.parse(text).seen("", "/file0")).isNull();
    }
}
