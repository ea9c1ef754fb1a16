package dev.leasehold.server;

import dev.leasehold.client.message.EventPart;
import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One client that listens to events, as server-sent events. Only {@link EventStreams} uses it, on one
 * thread at a time.
 */
final class EventStream {
    /** Proxies close a connection that is silent for a minute, and only a write shows that a client is gone. */
    private static final long SILENT_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int MOST_AT_ONCE = 500;

    /** Shows that the connection is alive, and is no event. */
    private static final String COMMENT = ":\n\n";

    private final Reply reply;
    private final Caller caller;
    private final String prefix;
    private final Set<Event.Type> types;

    private List<Event> unsent = List.of();
    /** Where the client stands when it has what is unsent. */
    private @Nullable EventPosition reached;
    /** The latest id that the client has. */
    private @Nullable EventPosition told;

    private long writtenAt = System.nanoTime();

    EventStream(Reply reply, Caller caller, String prefix, Set<Event.Type> types) {
        this.reply = reply;
        this.caller = caller;
        this.prefix = prefix;
        this.types = types;
    }

    /** The header by which the client is known. */
    @Nullable
    String authorization() {
        return reply.request().getHeaders().get("Authorization");
    }

    /** The key of the client, however it wrote the header; null if it has none. */
    @Nullable
    String key() {
        String header = authorization();
        return header == null ? null : Authenticator.keyIn(header);
    }

    void begin() {
        // The pause after which a browser connects again.
        reply.begin("text/event-stream", bytes("retry: 2000\n\n"));
    }

    /** Sends this answer instead. */
    void refuse(Answer answer) {
        reply.send(answer);
    }

    /** Whether the client has received everything that was sent. */
    boolean isReady() {
        return unsent.isEmpty() && !reply.isWriting();
    }

    boolean isGone() {
        return reply.isOver();
    }

    /** Whether the client has taken nothing for this long, although something was written to it. */
    boolean isStalled(Duration longest) {
        return reply.isWriting() && System.nanoTime() - writtenAt > longest.toNanos();
    }

    /** @param position where the client stands when it has these */
    void send(List<Event> events, EventPosition position) {
        unsent = events.stream()
                .filter(event -> types.contains(event.type())
                        && caller.sees(event.name().value())
                        && event.name().value().startsWith(prefix))
                .toList();
        reached = position;
        proceed();
    }

    /** Writes what fits into one write, if the one before is over. */
    void proceed() {
        if (reply.isWriting()) {
            return;
        }
        if (!unsent.isEmpty()) {
            int count = Math.min(MOST_AT_ONCE, unsent.size());
            write(unsent.subList(0, count));
            unsent = unsent.subList(count, unsent.size());
        } else if (told == null || System.nanoTime() - writtenAt > SILENT_NANOS) {
            write(List.of());
        }
    }

    private void write(List<Event> events) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (Event event : events) {
            // An event that became visible late does not send the client back.
            if (told == null || event.position().isAfter(told)) {
                told = event.position();
                text.writeBytes(bytes("id: " + told + "\n"));
            }
            text.writeBytes(bytes("event: " + event.type().word() + "\ndata: "));
            text.writeBytes(JsonMessages.write(part(event)));
            text.writeBytes(bytes("\n\n"));
        }
        if (events.isEmpty() && reached != null) {
            // Without data this is no event, but the client continues from here.
            told = told == null || reached.isAfter(told) ? reached : told;
            text.writeBytes(bytes("id: " + told + "\n\n"));
        } else if (events.isEmpty()) {
            text.writeBytes(bytes(COMMENT));
        }
        reply.write(text.toByteArray());
        writtenAt = System.nanoTime();
    }

    private static EventPart part(Event event) {
        return new EventPart(
                event.position().toString(),
                event.type().word(),
                event.at(),
                event.name().value(),
                event.token() == null ? null : event.token().value(),
                event.holder() == null ? null : event.holder().value(),
                event.outcome(),
                event.detail().isEmpty() ? null : event.detail(),
                event.slot());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void end() {
        // For a client that nobody has looked at yet.
        reply.send(ApiProblems.of(ProblemType.STOPPING, "the server is being stopped"));
        reply.end();
    }
}
