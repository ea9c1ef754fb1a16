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
     * @param duringOutage whether it must be answered even if the store does not answer
     */
    record Route(Call call, @Nullable Role role, Set<String> parameters, int maxBody, boolean duringOutage) {}

    private final Map<String, Map<String, Route>> byPath = new HashMap<>();

    /** A call that everybody may make. */
    Routes open(String path, Call call) {
        return add("GET", path, new Route(call, null, Set.of(), 0, false));
    }

    Routes get(String path, Call call, String... parameters) {
        return add("GET", path, new Route(call, Role.READER, Set.of(parameters), 0, false));
    }

    /** A call that must be answered even if the store does not answer. */
    Routes duringOutage(String path, Call call) {
        return add("GET", path, new Route(call, Role.READER, Set.of(), 0, true));
    }

    Routes post(String path, Role role, Call call) {
        return post(path, role, MAX_BODY, call);
    }

    Routes post(String path, Role role, int maxBody, Call call) {
        return add("POST", path, new Route(call, role, Set.of(), maxBody, false));
    }

    Routes delete(String path, Call call) {
        return add("DELETE", path, new Route(call, Role.READER, Set.of(), 0, false));
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
