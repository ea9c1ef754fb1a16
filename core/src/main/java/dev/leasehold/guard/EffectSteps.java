package dev.leasehold.guard;

import dev.leasehold.guard.SideEffect.Answer;
import dev.leasehold.guard.SideEffect.Begun;
import dev.leasehold.guard.SideEffect.Outcome;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The steps of side effects in a store's register. One record a lease holds the fence and the operations that are begun, so
 * that check and step are one compare-and-set; one record an operation holds its outcome, for ever. The outcome is written
 * before the operation leaves the first record: a crash in between leaves both, and the outcome counts.
 */
final class EffectSteps {
    private static final String HEADER = "leasehold effects 1";
    private static final String BEGUN = "begun";
    private static final int MAX_BEGUN = 100;
    private static final int MAX_TRIES = 16;

    private final CasRegister register;

    EffectSteps(CasRegister register) {
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

        Steps without(OperationId operation) {
            List<Begun> fewer = new ArrayList<>(begun);
            fewer.removeIf(one -> one.operation().equals(operation));
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

    Admission raise(Grant grant) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            CasRegister.Reading reading = register.read(key(grant.name()));
            Steps before = steps(grant, reading);
            Optional<Admission.Refused> refusal = refusal(before, grant);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            if (replace(grant.name(), reading, before.raisedTo(grant))) {
                return new Admission.Admitted(grant.token());
            }
        }
        throw contended(grant.name());
    }

    /** Writes the step. Empty if it is the caller's to go on, else why it is not. */
    Optional<Outcome> begin(Grant grant, OperationId operation) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            CasRegister.Reading reading = register.read(key(grant.name()));
            Steps before = steps(grant, reading);
            Optional<Admission.Refused> refusal = refusal(before, grant);
            if (refusal.isPresent()) {
                return Optional.of(new Outcome.Refused(refusal.get().explanation()));
            }
            // The outcome is looked for after the steps were read: it is written before its step goes.
            Optional<Outcome> known = made(grant.name(), operation)
                    .or(() -> before.find(operation).map(Outcome.Unknown::new));
            Steps after = before.raisedTo(grant);
            if (known.isEmpty()) {
                requireRoom(grant, before);
                after = after.with(new Begun(operation, grant.token(), reading.at()));
            }
            if (after.equals(before) || replace(grant.name(), reading, after)) {
                return known;
            }
        }
        throw contended(grant.name());
    }

    private static void requireRoom(Grant grant, Steps before) {
        if (before.begun.size() >= MAX_BEGUN) {
            throw new TargetUnavailableException("of " + MAX_BEGUN + " operations of " + grant.name()
                    + " it is unknown whether they took effect: nothing was begun. Settle them first");
        }
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

    void end(Grant grant, OperationId operation, Answer answer) {
        if (answer.made()) {
            // If there is one already, somebody settled it meanwhile; the first word counts.
            register.compareAndSet(
                    key(grant.name(), operation), CasRegister.ABSENT, grant.token() + " " + answer.text());
        }
        change(grant.name(), steps -> steps.without(operation));
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

    private void change(LeaseName name, UnaryOperator<Steps> change) {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            CasRegister.Reading reading = register.read(key(name));
            if (reading.value().isEmpty()
                    || replace(
                            name,
                            reading,
                            change.apply(parse(name, reading.value().get())))) {
                return;
            }
        }
        throw contended(name);
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

    private static StoreUnavailableException contended(LeaseName name) {
        return new StoreUnavailableException("others changed the record of the side effects of " + name
                + " every time; nothing was begun, try again");
    }

    private static String key(LeaseName name) {
        return "effects/" + name;
    }

    /** An operation id has no slash, so no two keys are the same. */
    private static String key(LeaseName name, OperationId operation) {
        return "effect/" + operation + "/" + name;
    }
}
