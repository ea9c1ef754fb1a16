package dev.leasehold;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/** The one thing that goes wrong in a run of the search: at which point, how, and whether it stays so. */
final class Trouble {
    /** Where the engine leaves its own code. */
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

    /** Not an AssertionError, which would be taken for a finding. */
    static final class InjectedError extends Error {
        private static final long serialVersionUID = 1;

        InjectedError() {
            super("injected");
        }
    }

    /** What is thrown there. */
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

    private Trouble(Place place, int at, Kind kind, boolean lasting) {
        this.place = place;
        this.at = at;
        this.kind = kind;
        this.lasting = lasting;
    }

    static Trouble none() {
        return new Trouble(Place.USER, 0, Kind.RUNTIME, false);
    }

    static Trouble once(Place place, int at, Kind kind) {
        return new Trouble(place, at, kind, false);
    }

    /** From that point on, until it is over. */
    static Trouble lasting(Place place, int at, Kind kind) {
        return new Trouble(place, at, kind, true);
    }

    /** What the engine reached, in order, by what it is called. */
    List<String> reached(Place where) {
        return reached.getOrDefault(where, List.of());
    }

    boolean isAt(Place where) {
        return place == where;
    }

    boolean isLasting() {
        return lasting;
    }

    /** Nobody can watch over a lease without a timer and a clock; a store that stays away does not renew it. */
    boolean mayCostALease() {
        return lasting ? place != Place.LISTENER : place == Place.TIMER || place == Place.CLOCK;
    }

    boolean isInterrupt() {
        return kind == Kind.INTERRUPT;
    }

    /** Whether something was thrown at all: the run may have taken another way. */
    boolean happened() {
        return !thrown.isEmpty();
    }

    /** Whether this is what was thrown, or was made of it. */
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

    /** A point at which something can go wrong. */
    void reach(Place where, String what) {
        List<String> points = reached.computeIfAbsent(where, p -> new ArrayList<>());
        points.add(what);
        boolean here = where == place && (points.size() == at || (lasting && at > 0 && points.size() > at));
        if (here && !over) {
            Throwable failure = kind.failure();
            thrown.add(failure);
            Trouble.<RuntimeException>sneak(failure);
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
