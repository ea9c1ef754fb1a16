package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import dev.leasehold.model.LeaseName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentEventsTest {
    private final List<Event> next = new ArrayList<>();
    private final RecentEvents recent = new RecentEvents(() -> List.copyOf(next), () -> EventPosition.parse("1"));

    private static Event at(long micros) {
        return new Event(
                EventPosition.parse(micros + ".run.0.a"),
                Event.Type.ENDED,
                LeaseName.of("a"),
                null,
                null,
                "ran",
                "",
                null);
    }

    private void read(Event... events) {
        next.clear();
        next.addAll(List.of(events));
        recent.read();
    }

    /** A client that continues between the two must be read for from the store. */
    @Test
    void aLateEventThatIsForgottenDoesNotMakeItRemembered() {
        read(at(1000), at(20));
        for (int i = 0; i < RecentEvents.MOST; i++) {
            read(at(2000 + i));
        }

        assertThat(recent.remembers(recent.after(EventPosition.parse("500")))).isFalse();
        assertThat(recent.remembers(recent.after(EventPosition.parse("1500")))).isTrue();
    }
}
