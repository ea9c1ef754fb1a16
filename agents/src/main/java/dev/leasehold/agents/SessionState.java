package dev.leasehold.agents;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.Grant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the hook remembers about one session between two calls. All of it is bounded: the oldest
 * entries are given up, which only means that a file has to be read again.
 */
public final class SessionState {
    private static final String HEADER = "leasehold agent session 1";
    private static final char SEPARATOR = '\t';
    private static final int MAX_SEEN = 1000;
    private static final int MAX_READING = 200;
    private static final int MAX_DENIED = 64;
    private static final int MAX_PERMITS = 1000;
    static final int MAX_HELD = 1000;

    /** What an agent has seen of a file. The stamp saves hashing where a guess is enough. */
    record Seen(String agent, String path, String hash, String stamp) {}

    /** A read that has begun. */
    record Reading(String agent, String call, String path, String hash) {}

    /** A lease of this session, and the agent that works with it. */
    record HeldFile(String agent, long renewedAt, Grant grant, String path, String left) {}

    /** The last edit of a file that was permitted; open until it is known to have ended. */
    record Permit(String agent, long at, boolean open, String path) {}

    /** A file whose edit was denied because of another session. */
    record DeniedFile(String name, String path) {}

    private final Map<String, Seen> seen = new LinkedHashMap<>();
    private final Map<String, Reading> reading = new LinkedHashMap<>();
    private final Map<String, HeldFile> held = new LinkedHashMap<>();
    private final Map<String, Permit> permits = new LinkedHashMap<>();
    private final Map<String, DeniedFile> denied = new LinkedHashMap<>();
    private boolean mainStopped;

    // --- what agents have seen ---

    @Nullable
    String seen(String agent, String path) {
        Seen found = seen.get(key(agent, path));
        return found == null ? null : found.hash();
    }

    void see(Seen what) {
        put(seen, key(what.agent(), what.path()), what, MAX_SEEN);
    }

    void forgetSeen(String agent, String path) {
        seen.remove(key(agent, path));
    }

    List<Seen> allSeen() {
        return new ArrayList<>(seen.values());
    }

    List<Seen> seenBy(String agent) {
        List<Seen> found = new ArrayList<>();
        for (Seen one : seen.values()) {
            if (one.agent().equals(agent)) {
                found.add(one);
            }
        }
        return found;
    }

    void startReading(Reading what) {
        put(reading, key(what.agent(), what.call()) + SEPARATOR + what.path(), what, MAX_READING);
    }

    @Nullable
    Reading endReading(String agent, String call, String path) {
        return reading.remove(key(agent, call) + SEPARATOR + path);
    }

    List<Reading> endReadings(String agent, String call) {
        List<Reading> found = new ArrayList<>();
        for (Reading one : new ArrayList<>(reading.values())) {
            if (one.agent().equals(agent) && one.call().equals(call)) {
                found.add(one);
                reading.remove(key(agent, call) + SEPARATOR + one.path());
            }
        }
        return found;
    }

    // --- leases ---

    @Nullable
    HeldFile held(String path) {
        return held.get(path);
    }

    List<HeldFile> allHeld() {
        return new ArrayList<>(held.values());
    }

    void hold(HeldFile file) {
        held.put(file.path(), file);
    }

    void drop(String path) {
        held.remove(path);
    }

    // --- permits ---

    @Nullable
    Permit permit(String path) {
        return permits.get(path);
    }

    void permit(Permit permit) {
        put(permits, permit.path(), permit, MAX_PERMITS);
    }

    void closePermit(String path, String agent) {
        Permit permit = permits.get(path);
        if (permit != null && permit.agent().equals(agent)) {
            permits.put(path, new Permit(agent, permit.at(), false, path));
        }
    }

    /** Ends what an agent has under way, after it stopped. */
    void endAgent(String agent) {
        for (String path : new ArrayList<>(permits.keySet())) {
            closePermit(path, agent);
        }
        reading.values().removeIf(one -> one.agent().equals(agent));
    }

    // --- denials ---

    void deny(FilePlace place) {
        put(denied, place.path(), new DeniedFile(place.name().value(), place.path()), MAX_DENIED);
    }

    void undeny(String path) {
        denied.remove(path);
    }

    List<DeniedFile> allDenied() {
        return new ArrayList<>(denied.values());
    }

    boolean mainStopped() {
        return mainStopped;
    }

    void mainStopped(boolean stopped) {
        mainStopped = stopped;
    }

    /** A new entry counts as the youngest. */
    private static <T> void put(Map<String, T> map, String key, T value, int limit) {
        map.remove(key);
        if (map.size() >= limit) {
            map.remove(map.keySet().iterator().next());
        }
        map.put(key, value);
    }

    private static String key(String first, String second) {
        return first + SEPARATOR + second;
    }

    // --- the record ---

    public String format() {
        Fields fields = new Fields(HEADER);
        fields.put("stopped", mainStopped ? "yes" : "no");
        for (Seen s : seen.values()) {
            fields.put("seen", join(s.agent(), s.hash(), s.stamp(), s.path()));
        }
        for (Reading r : reading.values()) {
            fields.put("reading", join(r.agent(), r.call(), r.hash(), r.path()));
        }
        for (HeldFile h : held.values()) {
            fields.put(
                    "held",
                    join(h.agent(), Long.toString(h.renewedAt()), h.grant().encode(), h.left(), h.path()));
        }
        for (Permit p : permits.values()) {
            fields.put("permit", join(p.agent(), p.open() ? "open" : "closed", Long.toString(p.at()), p.path()));
        }
        for (DeniedFile d : denied.values()) {
            fields.put("denied", join(d.name(), d.path()));
        }
        return Fields.withChecksum(fields.put("end", "yes").format());
    }

    /** @throws IllegalArgumentException if the record is damaged */
    public static SessionState parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        // A record without its checksum was cut off.
        fields.require("end");
        fields.require("seal");
        SessionState state = new SessionState();
        state.mainStopped = fields.require("stopped").equals("yes");
        for (String line : fields.all("seen")) {
            String[] p = split(line, 4);
            state.see(new Seen(p[0], p[3], p[1], p[2]));
        }
        for (String line : fields.all("reading")) {
            String[] p = split(line, 4);
            state.startReading(new Reading(p[0], p[1], p[3], p[2]));
        }
        for (String line : fields.all("held")) {
            String[] p = split(line, 5);
            state.hold(new HeldFile(p[0], Fields.number(p[1]), Grant.decode(p[2]), p[4], p[3]));
        }
        for (String line : fields.all("permit")) {
            String[] p = split(line, 4);
            state.permit(new Permit(p[0], Fields.number(p[2]), p[1].equals("open"), p[3]));
        }
        for (String line : fields.all("denied")) {
            String[] p = split(line, 2);
            state.denied.put(p[1], new DeniedFile(p[0], p[1]));
        }
        return state;
    }

    private static String join(String... parts) {
        return String.join(String.valueOf(SEPARATOR), parts);
    }

    /** The path comes last, because it may contain anything. */
    private static String[] split(String line, int parts) {
        String[] found = new String[parts];
        int from = 0;
        for (int i = 0; i < parts - 1; i++) {
            int tab = line.indexOf(SEPARATOR, from);
            if (tab < 0) {
                throw new IllegalArgumentException("a line has too few parts");
            }
            found[i] = line.substring(from, tab);
            from = tab + 1;
        }
        found[parts - 1] = line.substring(from);
        return found;
    }
}
