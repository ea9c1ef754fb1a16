package dev.leasehold.work;

import dev.leasehold.fence.FenceState;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.Contention;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.work.SideEffect.Answer;
import dev.leasehold.work.SideEffect.Begun;
import dev.leasehold.work.SideEffect.Outcome;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The steps of side effects in a store's register. One record a lease holds the fence and the operations that are begun, so
 * that check and step are one compare-and-set; one record an operation holds its outcome, for ever. The outcome is written
 * before the operation leaves the first record: a crash in between leaves both, and the outcome counts.
 */
public final class EffectSteps {
    private static final String HEADER = "leasehold effects 1";
    private static final String BEGUN = "begun";
    private static final int MAX_BEGUN = 100;

    private final CasRegister register;
    private final Contention contention = Contention.system();

    public EffectSteps(CasRegister register) {
        this.register = register;
    }

    private record Steps(FenceState fence, List<Begun> begun) {
        Steps raisedTo(Grant grant) {
            return new Steps(fence.raisedTo(grant), begun);
        }

        Optional<Begun> find(OperationId operation) {
            for (Begun one : begun) {
                if (one.operation().equals(operation)) {
                    return Optional.of(one);
                }
            }
            return Optional.empty();
        }

        Steps with(Begun one) {
            List<Begun> more = new ArrayList<>(begun);
            more.add(one);
            return new Steps(fence, more);
        }

        Steps without(Predicate<Begun> ended) {
            List<Begun> fewer = new ArrayList<>(begun);
            fewer.removeIf(ended);
            return new Steps(fence, fewer);
        }

        String format() {
            Fields fields = fence.putInto(new Fields(HEADER));
            for (Begun one : begun) {
                fields.put(BEGUN, one.token() + " " + Fields.micros(one.at()) + " " + one.operation());
            }
            return fields.format();
        }

        static Steps parse(String text) {
            Fields fields = Fields.parse(HEADER, text);
            List<Begun> begun = new ArrayList<>();
            for (String line : fields.all(BEGUN)) {
                String[] parts = line.split(" ", 3);
                if (parts.length < 3) {
                    throw new IllegalArgumentException("an operation is cut off");
                }
                begun.add(new Begun(OperationId.of(parts[2]), FencingToken.parse(parts[0]), Fields.instant(parts[1])));
            }
            return new Steps(FenceState.from(fields), begun);
        }
    }

    /** What became of a beginning. */
    sealed interface Start {
        /** The step is written, and the call is the caller's to make. */
        record Begins(Begun step) implements Start {}

        /** The call is not to be made. */
        record Answered(Outcome outcome) implements Start {}
    }

    Admission raise(Grant grant) {
        return admit(grant, steps -> steps);
    }

    /** Changes the steps, and raises the fence, if the grant is not stale: both or neither. */
    private Admission admit(Grant grant, UnaryOperator<Steps> change) {
        return contention.resolve(effectsOf(grant.name()), () -> {
            CasRegister.Reading reading = register.read(key(grant.name()));
            Steps before = steps(grant, reading);
            Optional<Admission.Refused> refusal = refusal(before, grant);
            if (refusal.isPresent()) {
                return Optional.of(refusal.get());
            }
            return replace(grant.name(), reading, change.apply(before.raisedTo(grant)))
                    ? Optional.of(new Admission.Admitted(grant.token()))
                    : Optional.empty();
        });
    }

    /** Writes the step, unless the grant is stale or the operation was begun before. */
    public Start begin(Grant grant, OperationId operation) {
        return contention.resolve(effectsOf(grant.name()), () -> tryBegin(grant, operation));
    }

    private Optional<Start> tryBegin(Grant grant, OperationId operation) {
        CasRegister.Reading reading = register.read(key(grant.name()));
        Steps before = steps(grant, reading);
        Optional<Admission.Refused> refusal = refusal(before, grant);
        if (refusal.isPresent()) {
            return Optional.of(
                    new Start.Answered(new Outcome.Refused(refusal.get().explanation())));
        }
        // The outcome is looked for after the steps were read: it is written before its step goes.
        Optional<Outcome> known =
                made(grant.name(), operation).or(() -> before.find(operation).map(Outcome.Unknown::new));
        Steps after = before.raisedTo(grant);
        Begun step = new Begun(operation, grant.token(), reading.at().truncatedTo(ChronoUnit.MICROS));
        if (known.isEmpty()) {
            after = withRoom(grant.name(), after).with(step);
        }
        return after.equals(before) || replace(grant.name(), reading, after)
                ? Optional.of(known.<Start>map(Start.Answered::new).orElseGet(() -> new Start.Begins(step)))
                : Optional.empty();
    }

    /** A step whose outcome is known, and which nobody came to take out, counts for nothing. */
    private Steps withRoom(LeaseName name, Steps before) {
        if (before.begun.size() < MAX_BEGUN) {
            return before;
        }
        Steps open = before.without(one -> made(name, one.operation()).isPresent());
        if (open.begun.size() >= MAX_BEGUN) {
            throw new TargetUnavailableException("of " + MAX_BEGUN + " operations of " + name
                    + " it is unknown whether they took effect: nothing was begun. Settle them first");
        }
        return open;
    }

    private Optional<Outcome> made(LeaseName name, OperationId operation) {
        return register.read(key(name, operation)).value().map(text -> {
            int space = text.indexOf(' ');
            try {
                return new Outcome.MadeBefore(
                        FencingToken.parse(text.substring(0, Math.max(0, space))), text.substring(space + 1));
            } catch (IllegalArgumentException e) {
                throw unreadable("outcome of " + operation + " of " + name, e);
            }
        });
    }

    /**
     * The word of whoever began this very step. It ends that step and no other: since then the operation may have been settled
     * and begun again.
     *
     * @return whether the outcome is recorded. That nothing was made is not, if the step is not the caller's to end any more:
     *     it was settled, or a newer token has been here
     */
    boolean end(Grant grant, Begun step, Answer answer) {
        remember(grant, step.operation(), answer);
        boolean[] found = new boolean[1];
        Admission admission = admit(grant, steps -> {
            found[0] = steps.begun.contains(step);
            return steps.without(step::equals);
        });
        return answer.made() || (found[0] && admission instanceof Admission.Admitted);
    }

    /** The word of whoever asked the target, about the step that is there. */
    Admission settle(Grant grant, OperationId operation, Answer answer) {
        Admission admission = admit(grant, steps -> steps);
        if (admission instanceof Admission.Refused) {
            return admission;
        }
        remember(grant, operation, answer);
        return admit(grant, steps -> steps.without(one -> one.operation().equals(operation)));
    }

    /**
     * What was made is made, whoever made it: an outcome only ever keeps a call from being made, so a stale token may write
     * one. If there is one already, the first word counts.
     */
    private void remember(Grant grant, OperationId operation, Answer answer) {
        if (answer.made()) {
            register.compareAndSet(
                    key(grant.name(), operation), CasRegister.ABSENT, grant.token() + " " + answer.text());
        }
    }

    public List<Begun> unsettled(LeaseName name) {
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

    private boolean replace(LeaseName name, CasRegister.Reading reading, Steps after) {
        return register.compareAndSet(key(name), reading.version(), after.format());
    }

    private static Optional<Admission.Refused> refusal(Steps before, Grant grant) {
        return before.fence.refusal(grant, "this operation");
    }

    private static Steps steps(Grant grant, CasRegister.Reading reading) {
        return reading.value().isPresent()
                ? parse(grant.name(), reading.value().get())
                : new Steps(FenceState.first(grant), List.of());
    }

    private static Steps parse(LeaseName name, String text) {
        try {
            return Steps.parse(text);
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

    /** An operation id has no slash, so no two keys are the same. */
    private static String key(LeaseName name, OperationId operation) {
        return "effect/" + operation + "/" + name;
    }
}
