package dev.leasehold.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The calls by method and path. */
final class Routes {
    /** The largest body of most calls. */
    static final int MAX_BODY = 64 * 1024;

    /**
     * A call.
     *
     * @param role who may make it; null if it needs no key
     * @param parameters the names of the parameters that it takes
     * @param maxBody the largest body in bytes; zero if it takes none
     * @param waits for what it waits, and so on which thread it runs
     */
    record Route(Call call, @Nullable Role role, Set<String> parameters, int maxBody, Waits waits) {}

    /** What a call waits for. */
    enum Waits {
        FOR_THE_STORE,
        /** For the store, and it must be answered even if the store does not answer. */
        FOR_THE_STORE_BRIEFLY,
        FOR_NOTHING
    }

    private final Map<String, Map<String, Route>> byPath = new HashMap<>();

    /** A file that everybody may read. */
    Routes file(String path, Call call) {
        return add("GET", path, new Route(call, null, Set.of(), 0, Waits.FOR_NOTHING));
    }

    /** A call that everybody may make. */
    Routes open(String path, Call call) {
        return add("GET", path, new Route(call, null, Set.of(), 0, Waits.FOR_THE_STORE));
    }

    Routes get(String path, Call call, String... parameters) {
        return add("GET", path, new Route(call, Role.READER, Set.of(parameters), 0, Waits.FOR_THE_STORE));
    }

    /** A call that must be answered even if the store does not answer. */
    Routes duringOutage(String path, Call call) {
        return add("GET", path, new Route(call, Role.READER, Set.of(), 0, Waits.FOR_THE_STORE_BRIEFLY));
    }

    Routes post(String path, Role role, Call call) {
        return post(path, role, MAX_BODY, call);
    }

    Routes post(String path, Role role, int maxBody, Call call) {
        return add("POST", path, new Route(call, role, Set.of(), maxBody, Waits.FOR_THE_STORE));
    }

    Routes delete(String path, Call call) {
        return add("DELETE", path, new Route(call, Role.READER, Set.of(), 0, Waits.FOR_THE_STORE));
    }

    private Routes add(String method, String path, Route route) {
        byPath.computeIfAbsent(path, p -> new HashMap<>()).put(method, route);
        return this;
    }

    @Nullable
    Route find(String method, String path) {
        return byPath.getOrDefault(path, Map.of()).get(method);
    }

    /** The methods that a path takes; empty if there is no such path. */
    Set<String> methods(String path) {
        return new TreeSet<>(byPath.getOrDefault(path, Map.of()).keySet());
    }
}
