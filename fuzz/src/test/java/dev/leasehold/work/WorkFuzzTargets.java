package dev.leasehold.work;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.StoreCorruptException;
import java.util.List;

/** Records of work items. */
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

    private WorkFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("work item", StoreCorruptException.class, WorkFuzzTargets::item, ITEM),
                FuzzTarget.of(
                        "work item entry",
                        StoreCorruptException.class,
                        WorkFuzzTargets::entry,
                        "work#nightly#2026-01-01"));
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
}
