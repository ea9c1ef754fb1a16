package dev.leasehold.work;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.work.SideEffect.Answer;
import dev.leasehold.work.SideEffect.Begun;
import dev.leasehold.work.SideEffect.Outcome;
import dev.leasehold.work.SideEffect.Start;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The records of side effects in a store's register. One record per lease holds the fence and the
 * operations that are begun, so that the check and the beginning are one compare-and-set. One
 * record per operation holds its outcome and is never deleted. The outcome is written before the
 * operation leaves the first record: after a crash in between both exist, and the outcome is valid.
 */
final class SideEffectRecords {
    private static final String HEADER = "leasehold effects 1";
    private static final String BEGUN = "begun";
    private static final int MAX_BEGUN = 100;

    private final CasRegister register;
    private final Contention contention = Contention.system();

    SideEffectRecords(CasRegister register) {
        this.register = register;
    }

    private record State(FenceState fence, List<Begun> begun) {
        State with(FenceState raised) {
            return new State(raised, begun);
        }

        Optional<Begun> find(OperationId operation) {
            for (Begun one : begun) {
                if (one.operation().equals(operation)) {
                    return Optional.of(one);
                }
            }
            return Optional.empty();
        }

        State with(Begun one) {
            List<Begun> more = new ArrayList<>(begun);
            more.add(one);
            return new State(fence, more);
        }

        State without(Predicate<Begun> ended) {
            List<Begun> fewer = new ArrayList<>(begun);
            fewer.removeIf(ended);
            return new State(fence, fewer);
        }

        String format() {
            Fields fields = FenceText.write(HEADER, fence);
            for (Begun one : begun) {
                fields.put(BEGUN, Words.join(one.token(), one.at(), one.operation()));
            }
            return fields.format();
        }

        static State parse(String text) {
            Fields fields = Fields.parse(HEADER, text);
            List<Begun> begun = new ArrayList<>();
            for (String line : fields.all(BEGUN)) {
                Words words = new Words("an operation", line);
                FencingToken token = words.token();
                Instant at = words.instant();
                begun.add(new Begun(OperationId.of(words.rest()), token, at));
            }
            return new State(FenceText.read(fields), begun);
        }
    }

    Admission raise(Grant grant) {
        return admit(grant, state -> state);
    }

    /** Changes the state and raises the fence in one step, unless the grant is stale. */
    private Admission admit(Grant grant, UnaryOperator<State> change) {
        return contention.resolve(effectsOf(grant.name()), () -> {
            CasRegister.Reading reading = register.read(key(grant.name()));
            State before = state(grant, reading);
            FenceDecision decision = judge(before, grant);
            return decision instanceof FenceDecision.Refuse
                            || replace(grant.name(), reading, change.apply(before.with(decision.after())))
                    ? Optional.of(decision.answer())
                    : Optional.empty();
        });
    }

    /**
     * Records the beginning of an operation, unless the grant is stale or the operation was
     * begun before.
     */
    Start begin(Grant grant, OperationId operation) {
        return contention.resolve(effectsOf(grant.name()), () -> tryBegin(grant, operation));
    }

    private Optional<Start> tryBegin(Grant grant, OperationId operation) {
        CasRegister.Reading reading = register.read(key(grant.name()));
        State before = state(grant, reading);
        FenceDecision decision = judge(before, grant);
        if (decision instanceof FenceDecision.Refuse refuse) {
            return Optional.of(
                    new Start.Answered(new Outcome.Refused(refuse.answer().explanation())));
        }
        // The outcome is read after the state, because it is written before the operation leaves the state.
        Optional<Outcome> known =
                made(grant.name(), operation).or(() -> before.find(operation).map(Outcome.Unknown::new));
        State after = before.with(decision.after());
        Begun started = new Begun(operation, grant.token(), reading.at().truncatedTo(ChronoUnit.MICROS));
        if (known.isEmpty()) {
            after = withRoom(grant.name(), after).with(started);
        }
        return after.equals(before) || replace(grant.name(), reading, after)
                ? Optional.of(known.<Start>map(Start.Answered::new).orElseGet(() -> new Start.Begins(started)))
                : Optional.empty();
    }

    /** Removes operations that have an outcome but were left in the state by a crash. */
    private State withRoom(LeaseName name, State before) {
        if (before.begun.size() < MAX_BEGUN) {
            return before;
        }
        State open = before.without(one -> made(name, one.operation()).isPresent());
        if (open.begun.size() >= MAX_BEGUN) {
            throw new TargetUnavailableException(MAX_BEGUN + " operations of " + name
                    + " have an unknown outcome: nothing was begun. Settle them first");
        }
        return open;
    }

    /** The state is read first, because the outcome is written before the operation leaves the state. */
    Optional<Outcome> find(LeaseName name, OperationId operation) {
        Optional<String> state = register.read(key(name)).value();
        return made(name, operation)
                .or(() ->
                        state.flatMap(text -> parse(name, text).find(operation)).map(Outcome.Unknown::new));
    }

    private Optional<Outcome> made(LeaseName name, OperationId operation) {
        return register.read(key(name, operation)).value().map(text -> {
            Words words = new Words("the outcome", text);
            try {
                return new Outcome.MadeBefore(words.token(), words.rest());
            } catch (IllegalArgumentException e) {
                throw unreadable("outcome of " + operation + " of " + name, e);
            }
        });
    }

    /**
     * Records the answer that the caller of this operation got. Ends only the operation that this
     * caller began: meanwhile it may have been settled and begun again.
     *
     * @return whether the outcome is recorded. An answer that nothing was made is not recorded if
     *     the caller no longer owns the operation, because it was settled or a newer token was seen
     */
    boolean end(Grant grant, Begun started, Answer answer) {
        remember(grant, started.operation(), answer);
        boolean[] found = new boolean[1];
        Admission admission = admit(grant, state -> {
            found[0] = state.begun.contains(started);
            return state.without(started::equals);
        });
        return answer.made() || (found[0] && admission instanceof Admission.Admitted);
    }

    /** Records what the target answered when it was asked about the operation. */
    Admission settle(Grant grant, OperationId operation, Answer answer) {
        Admission admission = admit(grant, state -> state);
        if (admission instanceof Admission.Refused) {
            return admission;
        }
        remember(grant, operation, answer);
        return admit(grant, state -> state.without(one -> one.operation().equals(operation)));
    }

    /**
     * Records that a call was made. A stale token may do so, because an outcome can only prevent
     * calls. The first outcome stays.
     */
    private void remember(Grant grant, OperationId operation, Answer answer) {
        if (answer.made()) {
            register.compareAndSet(
                    key(grant.name(), operation), CasRegister.ABSENT, Words.join(grant.token(), answer.text()));
        }
    }

    List<Begun> unsettled(LeaseName name) {
        CasRegister.Reading reading = register.read(key(name));
        List<Begun> open = new ArrayList<>();
        if (reading.value().isPresent()) {
            for (Begun one : parse(name, reading.value().get()).begun) {
                if (made(name, one.operation()).isEmpty()) {
                    open.add(one);
                }
            }
        }
        return open;
    }

    private boolean replace(LeaseName name, CasRegister.Reading reading, State after) {
        return register.compareAndSet(key(name), reading.version(), after.format());
    }

    private static FenceDecision judge(State before, Grant grant) {
        return before.fence.judge(grant, "this operation", null);
    }

    private static State state(Grant grant, CasRegister.Reading reading) {
        return reading.value().isPresent()
                ? parse(grant.name(), reading.value().get())
                : new State(FenceState.first(grant), List.of());
    }

    private static State parse(LeaseName name, String text) {
        try {
            return State.parse(text);
        } catch (IllegalArgumentException e) {
            throw unreadable("side effects of " + name, e);
        }
    }

    private static StoreCorruptException unreadable(String what, IllegalArgumentException e) {
        return new StoreCorruptException(
                "the record of the " + what + " cannot be read: " + e.getMessage() + ". Nothing was begun", e);
    }

    private static String effectsOf(LeaseName name) {
        return "the side effects of " + name;
    }

    private static String key(LeaseName name) {
        return "effects/" + name;
    }

    /** An operation id contains no slash, so keys are unique. */
    private static String key(LeaseName name, OperationId operation) {
        return "effect/" + operation + "/" + name;
    }
}
