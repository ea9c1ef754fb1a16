package dev.leasehold.server;

import dev.leasehold.client.message.AdvicePart;
import dev.leasehold.client.message.ExplainAnswer;
import dev.leasehold.client.message.LeaseAnswer;
import dev.leasehold.client.message.RunPart;
import dev.leasehold.events.ForgottenNames;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunAdvice;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.events.StateInWords;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.events.UnrecordedRuns;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.SideEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The call that tells everything about one lease, as {@code leasehold explain} does. */
final class ExplainCalls {
    private static final RunLog.Summary NO_RUNS = new RunLog.Summary(List.of(), Map.of());

    private final LeaseStore store;

    ExplainCalls(LeaseStore store) {
        this.store = store;
    }

    void addTo(Routes routes) {
        routes.get("/v1/leases/explain", Call.answering(this::explain), "name");
    }

    private Answer explain(ApiRequest request) {
        LeaseName name = request.name();
        List<String> damage = new ArrayList<>();
        Optional<LeaseSnapshot> lease = readable(damage, () -> store.inspect(name), Optional.empty());
        List<String> words = damage.isEmpty()
                ? words(name, lease)
                : List.of("The record of " + name + " cannot be read, so its state is not known.");
        List<Transfer> history =
                readable(damage, () -> store.history(name, LeaseStore.HISTORY_KEPT), List.<Transfer>of());
        RunLog.Summary recorded = readable(damage, () -> new RunLog(store.register()).of(name), NO_RUNS);
        List<RunEntry> runs = UnrecordedRuns.among(recorded.newestFirst(), history, lease);
        List<SideEffect.Begun> unknown = readable(
                damage, () -> new SideEffect(store, new SystemTicker()).unsettled(name), List.<SideEffect.Begun>of());
        List<KnownTarget> targets =
                readable(damage, () -> new TargetMemory(store.register()).of(name), List.<KnownTarget>of());
        return Answer.of(new ExplainAnswer(
                name.value(),
                lease.map(StateInWords::health).orElse("none"),
                lease.map(found -> ReadCalls.shown(request, LeaseAnswer.of(found)))
                        .orElse(null),
                words,
                history.stream()
                        .map(transfer -> ReadCalls.shown(request, transfer))
                        .toList(),
                runs.stream().map(ExplainCalls::part).toList(),
                recorded.counters(),
                unknown.stream().map(ExplainCalls::part).toList(),
                TargetCalls.parts(name, targets, history, recorded.newestFirst()),
                part(RunAdvice.of(recorded)),
                damage));
    }

    private List<String> words(LeaseName name, Optional<LeaseSnapshot> lease) {
        Optional<ForgottenNames.Forgotten> forgotten =
                lease.isPresent() ? Optional.empty() : new ForgottenNames(store.register()).find(name);
        return forgotten.map(gone -> List.of(gone.words())).orElseGet(() -> StateInWords.of(name, lease));
    }

    /** Damage to one part must not hide the others, which the operator needs to act. */
    private static <T> T readable(List<String> damage, Supplier<T> part, T otherwise) {
        try {
            return part.get();
        } catch (StoreCorruptException e) {
            damage.add(String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    private static ExplainAnswer.UnknownEffect part(SideEffect.Begun begun) {
        return new ExplainAnswer.UnknownEffect(
                begun.operation().toString(), begun.token().value(), begun.at());
    }

    private static RunPart part(RunEntry entry) {
        RunEntry.Renewals renewals = entry.renewals();
        RunOrigin origin = entry.origin();
        return new RunPart(
                entry.at(),
                entry.kind(),
                entry.token() == null ? null : entry.token().value(),
                entry.holder().value(),
                entry.duration().toMillis(),
                entry.detail(),
                renewals == null
                        ? null
                        : new RunPart.RenewalsPart(
                                renewals.ttl().toMillis(),
                                renewals.heartbeat().toMillis(),
                                renewals.count(),
                                renewals.longestGap().toMillis()),
                origin == null
                        ? null
                        : new RunPart.OriginPart(origin.command(), origin.user(), origin.host(), origin.directory()));
    }

    private static AdvicePart part(RunAdvice advice) {
        return new AdvicePart(
                advice.runs(),
                advice.losses(),
                advice.median().toMillis(),
                advice.p95().toMillis(),
                advice.worst().toMillis(),
                millis(advice.ttl()),
                millis(advice.stall()),
                part(advice.renewed()),
                part(advice.unrenewed()));
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static AdvicePart.@Nullable TtlPart part(RunAdvice.@Nullable Recommendation advice) {
        return advice == null
                ? null
                : new AdvicePart.TtlPart(advice.ttl().toMillis(), advice.upTo().toMillis(), advice.reason());
    }
}
