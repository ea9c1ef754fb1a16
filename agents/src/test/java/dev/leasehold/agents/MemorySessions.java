package dev.leasehold.agents;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records of sessions in memory, in the form that is written to a disk. */
class MemorySessions implements Sessions {
    private final Runnable pause;
    private final Map<String, String> records = new HashMap<>();
    private final Set<String> locked = new HashSet<>();
    private final @Nullable Guard missing;

    MemorySessions(Runnable pause, @Nullable Guard missing) {
        this.pause = pause;
        this.missing = missing;
    }

    @Override
    public <T> T change(String session, Step<T> step) throws Refusal {
        while (!locked.add(session)) {
            pause.run();
        }
        SessionState state =
                records.containsKey(session) ? SessionState.parse(records.get(session)) : new SessionState();
        try {
            return step.apply(state);
        } finally {
            SessionState.Permit permit = state.permit(Interleaving.FILE);
            if (missing == Guard.PERMIT && permit != null) {
                state.closePermit(permit.path(), permit.agent());
            }
            records.put(session, state.format());
            locked.remove(session);
        }
    }
}
