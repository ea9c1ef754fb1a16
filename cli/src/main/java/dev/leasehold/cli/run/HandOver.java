package dev.leasehold.cli.run;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Interventions;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.operate.LeaseList;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run gets a lease that is not free: {@code --take-over} takes it from its holder, and
 * {@code --grant} goes on with a grant that another command acquired. A run that waits for a free
 * lease never loads this class.
 */
final class HandOver {
    private final LeaseName name;
    private final LeaseTerms terms;
    private final @Nullable Grant grant;
    private final @Nullable FencingToken only;
    private final @Nullable Note reason;

    /**
     * The answer of the store.
     *
     * @param lease null if another token is current; then nothing was changed
     * @param token the token that is not current
     */
    record Answer(@Nullable Lease lease, FencingToken token, String why) {}

    private HandOver(Arguments arguments, LeaseName name, LeaseTerms terms) {
        this.name = name;
        this.terms = terms;
        this.grant = grant(arguments);
        this.only = arguments.value(RunCommand.ONLY_TOKEN, FencingToken::parse);
        this.reason = arguments.value(RunCommand.REASON, Note::of);
    }

    /** Refuses combinations that cannot work, before anything changes. */
    static HandOver of(Arguments arguments, RunOptions options) {
        boolean takeOver = arguments.has(RunCommand.TAKE_OVER);
        String option = takeOver ? RunCommand.TAKE_OVER.dashed() : RunCommand.GRANT.dashed();
        if (takeOver && !arguments.has(RunCommand.REASON)) {
            throw new UsageException("--take-over needs --reason S, which the history keeps");
        }
        List<Option> refused = takeOver
                ? List.of(RunCommand.GRANT, RunCommand.ON_BUSY, RunCommand.WAIT, RunCommand.OR, RunCommand.SCHEDULE)
                : List.of(
                        RunCommand.REASON,
                        RunCommand.ONLY_TOKEN,
                        RunCommand.ON_BUSY,
                        RunCommand.WAIT,
                        RunCommand.OR,
                        RunCommand.SCHEDULE,
                        SharedOptions.HOLDER);
        for (Option other : refused) {
            if (arguments.has(other)) {
                throw new UsageException(option + " and " + other.dashed() + " cannot be used together");
            }
        }
        return new HandOver(arguments, options.names().get(0), options.terms());
    }

    /** The name in the grant, which NAME may only repeat. */
    static LeaseName name(Arguments arguments) {
        Grant grant = Objects.requireNonNull(grant(arguments));
        if (!arguments.positionals().isEmpty() && !arguments.leaseName(0).equals(grant.name())) {
            throw new UsageException("the grant belongs to " + grant.name() + ", not to " + arguments.leaseName(0));
        }
        return grant.name();
    }

    private static @Nullable Grant grant(Arguments arguments) {
        Grant grant = arguments.value(RunCommand.GRANT, Grant::decode);
        if (grant != null && grant.attempt() == null) {
            throw new UsageException("--grant needs a whole grant: the field 'grant' of 'leasehold acquire NAME --json'"
                    + " or of 'leasehold takeover NAME --reason S --json'");
        }
        return grant;
    }

    /** The holder of an adopted grant stays the one that acquired it. */
    @Nullable
    Holder holder(LeaseStore store, @Nullable Holder given) {
        return grant == null
                ? given
                : store.inspect(name)
                        .map(lease -> lease.lease().owner())
                        .filter(owner -> owner.token().equals(grant.token()))
                        .map(owner -> owner.holder())
                        .orElse(null);
    }

    Answer lease(Leases leases, EngineContext context) throws InterruptedException {
        return grant == null ? takeOver(leases, context) : adopt(leases, context, grant);
    }

    private Answer adopt(Leases leases, EngineContext context, Grant passedOn) throws InterruptedException {
        AttemptId attempt = AttemptId.of(context.ids().unique());
        try {
            return new Answer(
                    Interventions.repeated(() -> leases.adopt(passedOn, terms, attempt)), passedOn.token(), "");
        } catch (LeaseLostException e) {
            return new Answer(null, passedOn.token(), e.loss().explanation());
        }
    }

    private Answer takeOver(Leases leases, EngineContext context) throws InterruptedException {
        FencingToken current =
                new LeaseList(leases.store()).existing(name).lease().token();
        FencingToken seen = only == null ? current : only;
        // Every try uses the same attempt id, so a takeover whose answer was lost is not made twice.
        AttemptId attempt = AttemptId.of(context.ids().unique());
        Note why = reason == null ? Note.of("taken over") : reason;
        Optional<Lease> taken = Interventions.repeated(() -> leases.takeOver(name, terms, seen, attempt, why));
        return new Answer(
                taken.orElse(null),
                seen,
                "the lease has another token now. Check 'leasehold status " + name + "' and decide again");
    }
}
