package dev.leasehold;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** The one fault of a run: where it occurs, what is thrown, and whether it lasts. */
final class InjectedFault {
    /** Where the engine calls other code. */
    enum Place {
        BEFORE_STORE,
        AFTER_STORE,
        LANE,
        TIMER,
        CLOCK,
        LISTENER,
        USER,
        WAIT,
        WATCH_CLOSE
    }

    /** Not an AssertionError, which would look like a finding of the test. */
    static final class InjectedError extends Error {
        private static final long serialVersionUID = 1;

        InjectedError() {
            super("injected");
        }
    }

    /** The exception that is thrown there. */
    enum Kind {
        UNAVAILABLE,
        CORRUPT,
        RUNTIME,
        ERROR,
        NO_THREAD,
        REJECTED,
        INTERRUPT;

        Throwable failure() {
            return switch (this) {
                case UNAVAILABLE -> new StoreUnavailableException("injected");
                case CORRUPT -> new StoreCorruptException("injected");
                case RUNTIME -> new IllegalStateException("injected");
                case ERROR -> new InjectedError();
                case NO_THREAD -> new OutOfMemoryError("unable to create native thread");
                case REJECTED -> new RejectedExecutionException("injected");
                case INTERRUPT -> new InterruptedException("injected");
            };
        }

        static List<Kind> possibleAt(Place place) {
            return switch (place) {
                case BEFORE_STORE, AFTER_STORE -> List.of(UNAVAILABLE, CORRUPT, RUNTIME, ERROR);
                case LANE, TIMER -> List.of(NO_THREAD, REJECTED);
                case CLOCK, LISTENER, USER, WATCH_CLOSE -> List.of(RUNTIME, ERROR);
                case WAIT -> List.of(INTERRUPT, ERROR);
            };
        }
    }

    private final Place place;
    private final int at;
    private final Kind kind;
    private final boolean lasting;
    private final Map<Place, List<String>> reached = new EnumMap<>(Place.class);
    private final List<Throwable> thrown = new ArrayList<>();
    private boolean over;

    private InjectedFault(Place place, int at, Kind kind, boolean lasting) {
        this.place = place;
        this.at = at;
        this.kind = kind;
        this.lasting = lasting;
    }

    static InjectedFault none() {
        return new InjectedFault(Place.USER, 0, Kind.RUNTIME, false);
    }

    static InjectedFault once(Place place, int at, Kind kind) {
        return new InjectedFault(place, at, kind, false);
    }

    /** The fault occurs at that point and at all later ones, until {@link #end}. */
    static InjectedFault lasting(Place place, int at, Kind kind) {
        return new InjectedFault(place, at, kind, true);
    }

    /** The names of the points that the engine reached, in order. */
    List<String> reached(Place where) {
        return reached.getOrDefault(where, List.of());
    }

    boolean isAt(Place where) {
        return place == where;
    }

    boolean isLasting() {
        return lasting;
    }

    /**
     * Without a timer and a clock the engine cannot watch a lease; a store that stays unavailable
     * does not renew it.
     */
    boolean mayCostALease() {
        return lasting ? place != Place.LISTENER : place == Place.TIMER || place == Place.CLOCK;
    }

    boolean isInterrupt() {
        return kind == Kind.INTERRUPT;
    }

    /** Whether the fault occurred: the run may have taken another path. */
    boolean happened() {
        return !thrown.isEmpty();
    }

    /** Whether this exception is the injected one, or was caused by it. */
    boolean explains(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (thrown.contains(cause)) {
                return true;
            }
        }
        return false;
    }

    void end() {
        over = true;
    }

    /** Marks a point, and throws if the fault occurs here. */
    void reach(Place where, String what) {
        List<String> points = reached.computeIfAbsent(where, p -> new ArrayList<>());
        points.add(what);
        boolean here = where == place && (points.size() == at || (lasting && at > 0 && points.size() > at));
        if (here && !over) {
            Throwable failure = kind.failure();
            thrown.add(failure);
            InjectedFault.<RuntimeException>sneak(failure);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @Override
    public String toString() {
        List<String> points = reached(place);
        String what = at > 0 && points.size() >= at ? " (" + points.get(at - 1) + ")" : "";
        return kind + (lasting ? " from " : " at ") + place + " number " + at + what + (lasting ? " on" : "");
    }
}
