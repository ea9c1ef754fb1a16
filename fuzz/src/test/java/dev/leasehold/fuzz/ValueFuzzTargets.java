package dev.leasehold.fuzz;

import dev.leasehold.Stores;
import dev.leasehold.client.message.AcquireCall;
import dev.leasehold.client.message.FenceCall;
import dev.leasehold.client.message.JsonMessages;
import dev.leasehold.client.message.OnceCall;
import dev.leasehold.client.message.RenewCall;
import dev.leasehold.client.message.WorkCall;
import dev.leasehold.events.EventPosition;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.http.GrantHeader;
import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.IdempotencyKey;
import dev.leasehold.work.WorkKey;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;

/** Values as people write them, and records that inform people. */
final class ValueFuzzTargets {
    private static final Set<String> REAL_STORES = Set.of(
            "file",
            "sqlite",
            "h2",
            "postgresql",
            "postgres",
            "mariadb",
            "mysql",
            "redis",
            "rediss",
            "valkey",
            "http",
            "https");

    private ValueFuzzTargets() {}

    static List<FuzzTarget> all() {
        return List.of(
                value("lease name", LeaseName::of, "nightly", "team/a.b:c@d-e", "x".repeat(200)),
                value("holder", Holder::of, "host-1-abc", "who ever"),
                value("note", Note::of, "half way", "it hangs: 3 of 4"),
                value("checkpoint", Checkpoint::of, "page=42"),
                value("attempt id", AttemptId::of, "attempt-0001"),
                value("store id", StoreId::of, "store-0001"),
                value("work key", WorkKey::of, "2026-01-01", "nightly@2026-01-01T00:00:00Z"),
                value("fingerprint", Fingerprint::of, "0123456789abcdef"),
                refusing("idempotency key", ValueFuzzTargets::idempotencyKey, "order-4711"),
                refusing("token", ValueFuzzTargets::token, "1", "42", "9223372036854775807"),
                refusing("grant", ValueFuzzTargets::grant, "lh1;7;attempt-0001;store-0001;nightly", "lh1;7;;;nightly"),
                refusing("grant header", ValueFuzzTargets::grantHeader, "lh1;7;attempt-0001;store-0001;nightly"),
                refusing("position of an event", ValueFuzzTargets::position, "0", "1700000000000000.run.0.nightly"),
                refusing("calls of the server", ValueFuzzTargets::calls, CALL),
                refusing("duration", ValueFuzzTargets::duration, "250ms", "90s", "15m", "2h", "7d", "1h30m"),
                refusing("unknown store", ValueFuzzTargets::unknownStore, "memory:", "memory:x"),
                refusing(
                        "secrets",
                        ValueFuzzTargets::secrets,
                        "redis://u:pass@h/0",
                        "postgresql://u@h/db?password=x&a=b"),
                FuzzTarget.of("run log", StoreCorruptException.class, ValueFuzzTargets::runLog, RUNS),
                FuzzTarget.of("remembered targets", StoreCorruptException.class, ValueFuzzTargets::targets, TARGETS),
                FuzzTarget.of(
                        "store that was moved",
                        IllegalArgumentException.class,
                        ValueFuzzTargets::movedStore,
                        "moving 4f2a4f2a4f2a",
                        "moved 4f2a4f2a4f2a"));
    }

    private static final String TARGETS =
            """
            leasehold targets 1
            target=1700000000000000 7 fence-id host-1 /srv/a page.html
            target=1700000000000000 6 - host-1 ssh://git@host/site.git
            """;

    private static final String CALL =
            """
            {"name":"nightly","ttlMs":60000,"holder":"alice","attempt":"attempt-0001","waitMs":10}""";

    private static final List<Class<?>> CALLS =
            List.of(AcquireCall.class, RenewCall.class, FenceCall.class, WorkCall.class, OnceCall.class);

    private static void position(String text) {
        EventPosition position = EventPosition.parse(text);
        FuzzTarget.requireSame(position, EventPosition.parse(position.toString()));
    }

    /** A message that is read is the same after it is written and read again. */
    private static void calls(String text) {
        JacksonException refused = null;
        for (Class<?> call : CALLS) {
            try {
                Object read = JsonMessages.readCall(text.getBytes(StandardCharsets.UTF_8), call);
                FuzzTarget.requireSame(read, JsonMessages.readCall(JsonMessages.write(read), call));
                return;
            } catch (JacksonException e) {
                refused = e;
            }
        }
        throw new IllegalArgumentException("this is not a call of the server", refused);
    }

    private static final String RUNS =
            """
            leasehold runs 1
            count-ran=3
            count-skipped_overlap=1
            run=1700000000000000 ran 7 1500/90000/30000/2/30001 10 host-1-abcexit 0
            skip=1700000000000001 skipped_overlap - 0 4 hostheld by host-2
            """;

    private static FuzzTarget value(String name, Function<String, Object> parser, String... seeds) {
        return refusing(
                name, text -> FuzzTarget.requireSame(text, parser.apply(text).toString()), seeds);
    }

    private static FuzzTarget refusing(String name, FuzzTarget.Reader reader, String... seeds) {
        return FuzzTarget.of(name, IllegalArgumentException.class, reader, seeds);
    }

    private static void idempotencyKey(String text) {
        HttpRequest request = IdempotencyKey.on(
                        HttpRequest.newBuilder(URI.create("http://localhost/")), OperationId.of(text))
                .build();
        FuzzTarget.requireSame(
                text, request.headers().firstValue(IdempotencyKey.HEADER).orElseThrow());
    }

    private static void token(String text) {
        FencingToken token = FencingToken.parse(text);
        FuzzTarget.requireSame(token, FencingToken.parse(token.toString()));
    }

    private static void grant(String text) {
        Grant grant = Grant.decode(text);
        FuzzTarget.requireSame(grant, Grant.decode(grant.encode()));
    }

    /** A text that is accepted is the only one of its grant, and arrives as it was sent. */
    private static void grantHeader(String text) {
        Grant grant = GrantHeader.parse(text);
        HttpRequest request = GrantHeader.on(HttpRequest.newBuilder(URI.create("http://localhost/")), grant)
                .build();
        FuzzTarget.requireSame(
                text, request.headers().firstValue(GrantHeader.NAME).orElseThrow());
    }

    private static void duration(String text) {
        Duration duration = DurationText.parse(text);
        FuzzTarget.requireBelow(duration.toDays(), 3650);
        FuzzTarget.requireSame(duration, DurationText.parse(duration.toMillis() + "ms"));
    }

    /** Accepts only unknown schemes: the addresses of real stores have their own targets. */
    private static void unknownStore(String text) {
        int colon = text.indexOf(':');
        if (colon < 0 || !REAL_STORES.contains(text.substring(0, colon).toLowerCase(java.util.Locale.ROOT))) {
            Stores.create(text).close();
        }
    }

    private static void secrets(String text) {
        List<String> secrets = Secrets.in(text);
        FuzzTarget.requireBelow(Secrets.withoutPassword(text).length(), text.length() + 6L);
        FuzzTarget.requireBelow(Secrets.hide(text, secrets).length(), 4L * text.length() + 6);
    }

    private static void runLog(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        LeaseName name = LeaseName.of("nightly");
        if (fits(text) && register.compareAndSet("runs/nightly", CasRegister.ABSENT, text)) {
            RunLog.Summary before = new RunLog(register).of(name);
            FuzzTarget.requireBelow(before.newestFirst().size(), text.length());
        }
    }

    private static void targets(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        if (fits(text) && register.compareAndSet("targets/nightly", CasRegister.ABSENT, text)) {
            int found = new TargetMemory(register).of(LeaseName.of("nightly")).size();
            FuzzTarget.requireBelow(found, text.length());
        }
    }

    private static void movedStore(String text) {
        if (MovedStore.isMoved(text)) {
            MovedStore moved = MovedStore.of(text, "file:/x");
            FuzzTarget.requireSame(moved, MovedStore.of(moved.text(), moved.to()));
        }
    }

    private static boolean fits(String text) {
        return text.length() < CasRegister.MAX_VALUE_BYTES / 3;
    }
}
