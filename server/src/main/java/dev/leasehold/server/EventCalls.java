package dev.leasehold.server;

import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The call that sends events as they happen. */
final class EventCalls {
    private static final String CONTINUE_AFTER = "Last-Event-ID";

    private final EventStreams streams;

    EventCalls(EventStreams streams) {
        this.streams = streams;
    }

    void addTo(Routes routes) {
        routes.get("/v1/events", this::open, "prefix", "types");
    }

    private void open(ApiRequest request, Reply reply) {
        EventStream stream = new EventStream(reply, request.caller(), request.parameter("prefix", ""), types(request));
        streams.open(stream, position(reply.request().getHeaders().get(CONTINUE_AFTER)));
    }

    private static @Nullable EventPosition position(@Nullable String text) {
        return text == null || text.isEmpty() ? null : EventPosition.parse(text);
    }

    private static Set<Event.Type> types(ApiRequest request) {
        Set<Event.Type> types = EnumSet.allOf(Event.Type.class);
        String words = request.parameter("types", "");
        if (!words.isEmpty()) {
            types.clear();
            for (String word : words.split(",", -1)) {
                types.add(Event.Type.ofWord(word));
            }
            // A gap concerns everybody.
            types.add(Event.Type.MISSED);
        }
        return types;
    }
}
