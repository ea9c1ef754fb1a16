package dev.leasehold.server;

import dev.leasehold.client.message.TargetsAnswer;
import dev.leasehold.client.message.TargetsAnswer.TargetPart;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls about the targets that are guarded by a lease, as far as its store remembers them. */
final class TargetCalls {
    /** The kind of entry that a run writes when it finds a target changed by another program. */
    private static final String CHANGED_OUTSIDE = "changed_outside";

    private final LeaseStore store;
    private final TargetMemory targets;
    private final RunLog runs;

    TargetCalls(LeaseStore store) {
        this.store = store;
        this.targets = new TargetMemory(store.register());
        this.runs = new RunLog(store.register());
    }

    void addTo(Routes routes) {
        routes.get("/v1/targets", Call.answering(this::list), "name")
                .get("/v1/targets/all", Call.answering(this::all), "prefix", "after", "limit");
    }

    private Answer list(ApiRequest request) {
        return Answer.of(new TargetsAnswer(parts(request.name()), null, null));
    }

    /** The targets of all names; a page ends with all targets of a name. */
    private Answer all(ApiRequest request) {
        int limit = request.limit();
        String prefix = request.prefix();
        List<LeaseName> names =
                prefix == null ? List.of() : targets.names(prefix, request.parameter("after", ""), limit);
        List<TargetPart> found = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (LeaseName name : names) {
            found.addAll(readable(name, damaged));
        }
        return Answer.of(new TargetsAnswer(
                found,
                ReadCalls.next(limit, names.stream().map(LeaseName::value).toList()),
                ReadCalls.orNull(damaged)));
    }

    /** A record that is damaged must not hide the others. */
    private List<TargetPart> readable(LeaseName name, List<String> damaged) {
        try {
            return parts(name);
        } catch (StoreCorruptException e) {
            damaged.add(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private List<TargetPart> parts(LeaseName name) {
        List<KnownTarget> known = targets.of(name);
        return known.isEmpty()
                ? List.of()
                : parts(
                        name,
                        known,
                        store.history(name, LeaseStore.HISTORY_KEPT),
                        runs.of(name).newestFirst());
    }

    static List<TargetPart> parts(
            LeaseName name, List<KnownTarget> known, List<Transfer> history, List<RunEntry> newestFirst) {
        return known.stream()
                .map(target -> new TargetPart(
                        name.value(),
                        target.place(),
                        target.host(),
                        target.fence(),
                        target.raised().value(),
                        holder(target, history),
                        target.at(),
                        changedOutside(target, newestFirst)))
                .toList();
    }

    private static @Nullable String holder(KnownTarget target, List<Transfer> history) {
        return history.stream()
                .filter(transfer -> transfer.token().equals(target.raised()))
                .map(transfer -> transfer.holder().value())
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Instant changedOutside(KnownTarget target, List<RunEntry> newestFirst) {
        return newestFirst.stream()
                .filter(entry ->
                        entry.kind().equals(CHANGED_OUTSIDE) && entry.detail().startsWith(target.place() + ":"))
                .map(RunEntry::at)
                .findFirst()
                .orElse(null);
    }
}
