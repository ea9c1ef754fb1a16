package dev.leasehold.spring.boot;

import dev.leasehold.Leases;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Intervention;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.scheduling.config.ScheduledTask;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/**
 * Who holds what, when leased methods run next, and the history of a name. To take over and to
 * cancel needs {@code management.endpoint.leases.access=unrestricted}.
 */
@Endpoint(id = "leases", defaultAccess = Access.READ_ONLY)
public class LeasesEndpoint {
    private static final int MAX_LISTED = 1000;
    private static final int MAX_HISTORY = 64;

    private final Leases leases;
    private final LeasedBeanChecks leased;
    private final ObjectProvider<ScheduledTaskHolder> scheduled;

    LeasesEndpoint(Leases leases, LeasedBeanChecks leased, ObjectProvider<ScheduledTaskHolder> scheduled) {
        this.leases = leases;
        this.leased = leased;
        this.scheduled = scheduled;
    }

    /** All leases of the store, at most 1000. */
    public record AllLeases(String store, String holder, List<OneLease> leases, Map<String, NextRun> methods) {}

    /**
     * A lease as it was when the store was read.
     *
     * @param remainingMillis until the name is free
     */
    public record OneLease(
            String name,
            String state,
            long token,
            String holder,
            Instant since,
            long remainingMillis,
            @Nullable String progress) {}

    /** A leased method of this process, and when its schedule runs it next. */
    public record NextRun(String lease, @Nullable Instant next) {}

    /** A lease and its former owners, newest first. */
    public record LeaseHistory(OneLease lease, List<PastOwner> history) {}

    /** One change of ownership. */
    public record PastOwner(long token, String holder, String reason, @Nullable String note, Instant at) {}

    /** What an operator did. */
    public record Intervened(String outcome, @Nullable Long token) {}

    @ReadOperation
    public AllLeases all() {
        List<OneLease> found = new ArrayList<>();
        for (LeaseSnapshot snapshot : leases.store().list("", "", MAX_LISTED)) {
            found.add(shown(snapshot));
        }
        return new AllLeases(leases.store().id().value(), leases.holder().toString(), found, methods());
    }

    private Map<String, NextRun> methods() {
        Map<String, Instant> next = new TreeMap<>();
        scheduled.forEach(holder -> {
            for (ScheduledTask task : holder.getScheduledTasks()) {
                Instant at = task.nextExecution();
                if (at != null) {
                    // A method may have several schedules.
                    next.merge(task.toString(), at, (a, b) -> a.isBefore(b) ? a : b);
                }
            }
        });
        Map<String, NextRun> methods = new TreeMap<>();
        leased.methods()
                .forEach(method -> methods.put(
                        method.toString(), new NextRun(method.name().toString(), next.get(method.toString()))));
        return methods;
    }

    /** @return null if the store does not know the name */
    @ReadOperation
    public @Nullable LeaseHistory one(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        LeaseName lease = name(name);
        return leases.store()
                .inspect(lease)
                .map(snapshot -> new LeaseHistory(
                        shown(snapshot),
                        leases.store().history(lease, MAX_HISTORY).stream()
                                .map(LeasesEndpoint::shown)
                                .toList()))
                .orElse(null);
    }

    /**
     * Ends the ownership of the current holder.
     *
     * @param action {@code takeover}, which keeps the name taken for {@code leasehold.defaults.ttl}, or {@code
     *     cancel}, which leaves it free
     * @param token the token that the operator saw; if another is current, nothing changes
     */
    @WriteOperation
    public Intervened intervene(
            SecurityContext caller,
            @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
            String action,
            String reason,
            long token) {
        Intervention move = move(action, name(name), operator(caller), note(reason));
        Acquisition answer = leases.store().intervene(move.ifTokenIs(requireToken(token)));
        return answer instanceof Acquisition.Granted granted
                ? new Intervened("done", granted.grant().token().value())
                : new Intervened("another token is current, and nothing was changed", null);
    }

    private Intervention move(String action, LeaseName lease, Holder operator, Note why) {
        AttemptId attempt = AttemptId.of(leases.context().ids().unique());
        return switch (action.toLowerCase(Locale.ROOT)) {
            case "takeover" ->
                Intervention.takeover(lease, attempt, operator, leases.terms().ttl(), why);
            case "cancel" -> Intervention.cancel(lease, attempt, operator, why);
            default -> throw refused("action must be takeover or cancel");
        };
    }

    /** The person who is logged in, for the history; otherwise this process. */
    private Holder operator(SecurityContext caller) {
        Principal person = caller.getPrincipal();
        if (person == null || person.getName() == null) {
            return leases.holder();
        }
        try {
            return Holder.of(person.getName());
        } catch (IllegalArgumentException e) {
            return leases.holder();
        }
    }

    private static LeaseName name(String[] parts) {
        try {
            return LeaseName.of(String.join("/", parts));
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private static Note note(String reason) {
        try {
            return Note.of(reason);
        } catch (IllegalArgumentException e) {
            throw refused("reason: " + e.getMessage());
        }
    }

    private static FencingToken requireToken(long token) {
        if (token <= 0) {
            throw refused("token must be the one that is current, a number above zero");
        }
        return FencingToken.of(token);
    }

    /** The answer is 400, with the reason. */
    private static InvalidEndpointRequestException refused(@Nullable String why) {
        return new InvalidEndpointRequestException(String.valueOf(why), String.valueOf(why));
    }

    private static OneLease shown(LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        LeaseRecord.Progress progress = lease.progress();
        return new OneLease(
                lease.name().value(),
                snapshot.state().word(),
                lease.token().value(),
                lease.owner().holder().toString(),
                lease.owner().at(),
                snapshot.remaining().toMillis(),
                progress == null || progress.note() == null
                        ? null
                        : progress.note().value());
    }

    private static PastOwner shown(Transfer transfer) {
        Note note = transfer.note();
        return new PastOwner(
                transfer.token().value(),
                transfer.holder().toString(),
                transfer.reason().word(),
                note == null ? null : note.value(),
                transfer.at());
    }
}
