package dev.leasehold.work;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;
import java.time.Clock;
import java.util.List;

/** Records of work items and of side effects. */
public final class WorkFuzzTargets {
    private static final WorkId ID = WorkId.of("nightly", "2026-01-01");
    private static final String ITEM =
            """
            leasehold work 1
            name=nightly
            key=2026-01-01
            state=done
            epoch=3
            attempts=2
            since=1700000000000000
            by=lh1;42;attempt-0001;store-0001;nightly
            holder=host-1-abc
            fingerprint=0123456789abcdef
            checkpoint=page=7
            result=two pages
            error=it failed
            reason=once more
            effect=1 pending mail to a
            effect=2 delivered mail to b
            """;

    private static final String EFFECTS =
            """
            leasehold effects 1
            name=nightly
            store=store-0001
            raised=42
            attempt=attempt-0001
            begun=41 1700000000000000 order-4711
            """;

    private static final Grant GRANT = new Grant(
            LeaseName.of("nightly"), FencingToken.of(42), AttemptId.of("attempt-0001"), StoreId.of("store-0001"));

    private WorkFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("work item", StoreCorruptException.class, WorkFuzzTargets::item, ITEM),
                FuzzTarget.of(
                        "work item entry",
                        StoreCorruptException.class,
                        WorkFuzzTargets::entry,
                        "work#nightly#2026-01-01"),
                FuzzTarget.of("side effects", StoreCorruptException.class, WorkFuzzTargets::effects, EFFECTS),
                FuzzTarget.of(
                        "outcome of a side effect", StoreCorruptException.class, WorkFuzzTargets::outcome, "41 sent"));
    }

    private static void item(String text) {
        WorkItem item = WorkText.parse(ID, text);
        FuzzTarget.requireSame(item, WorkText.parse(ID, WorkText.format(item)));
    }

    private static void entry(String text) {
        if (text.startsWith("work#")) {
            FuzzTarget.requireSame(text, WorkText.entry(WorkText.idOf(text)));
        }
    }

    private static void effects(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        if (text.length() < CasRegister.MAX_VALUE_BYTES / 3
                && register.compareAndSet("effects/nightly", CasRegister.ABSENT, text)) {
            FuzzTarget.requireBelow(
                    new SideEffectRecords(register).unsettled(GRANT.name()).size(), text.length());
        }
    }

    private static void outcome(String text) {
        CasRegister register = new MemoryRegister(Clock.systemUTC());
        if (text.length() < CasRegister.MAX_VALUE_BYTES / 3
                && register.compareAndSet("effect/order-4711/nightly", CasRegister.ABSENT, text)) {
            new SideEffectRecords(register).begin(GRANT, OperationId.of("order-4711"));
        }
    }
}
