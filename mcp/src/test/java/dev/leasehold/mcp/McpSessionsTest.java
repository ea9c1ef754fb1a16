package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class McpSessionsTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final McpSessions sessions = new McpSessions(now::get);

    private void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void aSessionEndsWhenItIsNotUsed() {
        String id = sessions.open("alice");
        for (int i = 0; i < 5; i++) {
            advance(Duration.ofMinutes(29));
            assertThat(sessions.use(id, "alice")).isTrue();
        }
        advance(Duration.ofMinutes(31));
        assertThat(sessions.use(id, "alice")).isFalse();
    }

    @Test
    void aSessionBelongsToItsClient() {
        String id = sessions.open("alice");
        assertThat(id).isNotEqualTo(sessions.open("alice")).matches("[a-z0-9]{40,}");
        assertThat(sessions.use(id, "bob")).isFalse();
        assertThat(sessions.end(id, "bob")).isFalse();
        assertThat(sessions.end(id, "alice")).isTrue();
        assertThat(sessions.end(id, "alice")).isFalse();
    }

    /** One client cannot end the sessions of the others. */
    @Test
    void aClientWithManySessionsLosesItsOwnOldest() {
        String other = sessions.open("bob");
        String first = sessions.open("alice");
        String used = sessions.open("alice");
        for (int i = 0; i < 99; i++) {
            sessions.open("alice");
            sessions.use(used, "alice");
        }
        assertThat(sessions.use(first, "alice")).isFalse();
        assertThat(sessions.use(used, "alice")).isTrue();
        assertThat(sessions.use(other, "bob")).isTrue();
    }

    @Test
    void thereAreAThousand() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            ids.add(sessions.open("client-" + i));
        }
        int alive = 0;
        for (int i = 0; i < ids.size(); i++) {
            alive += sessions.use(ids.get(i), "client-" + i) ? 1 : 0;
        }
        assertThat(alive).isEqualTo(1000);
    }
}
