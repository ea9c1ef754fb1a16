package dev.leasehold.mcp;

import dev.leasehold.internal.SystemIds;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The sessions of clients over HTTP that begin with {@code initialize}. A session carries nothing
 * and permits nothing; the key of each request does. There are few of them, and those that were not
 * used for longest give way.
 */
final class McpSessions {
    private static final int MOST = 1000;
    private static final int MOST_OF_ONE = 100;
    private static final long UNUSED_NANOS = Duration.ofMinutes(30).toNanos();

    private final LongSupplier nanos;
    private final SystemIds ids = new SystemIds();
    /** In the order of their last use. */
    private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

    private record Session(String owner, long used) {}

    McpSessions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    synchronized String open(String owner) {
        forgetUnused();
        if (sessions.values().stream().filter(one -> one.owner.equals(owner)).count() >= MOST_OF_ONE) {
            forgetOldestOf(owner);
        } else if (sessions.size() >= MOST) {
            forgetOldestOf(sessions.values().iterator().next().owner);
        }
        String id = ids.unique() + ids.unique();
        sessions.put(id, new Session(owner, nanos.getAsLong()));
        return id;
    }

    /** Whether there is such a session of this client; it counts as used. */
    synchronized boolean use(String id, String owner) {
        forgetUnused();
        Session session = sessions.get(id);
        if (session == null || !session.owner.equals(owner)) {
            return false;
        }
        sessions.put(id, new Session(owner, nanos.getAsLong()));
        return true;
    }

    /** Whether there was such a session. */
    synchronized boolean end(String id, String owner) {
        boolean known = use(id, owner);
        if (known) {
            sessions.remove(id);
        }
        return known;
    }

    private void forgetUnused() {
        long now = nanos.getAsLong();
        sessions.values().removeIf(session -> now - session.used > UNUSED_NANOS);
    }

    private void forgetOldestOf(String owner) {
        Iterator<Session> all = sessions.values().iterator();
        while (all.hasNext()) {
            if (all.next().owner.equals(owner)) {
                all.remove();
                return;
            }
        }
    }
}
