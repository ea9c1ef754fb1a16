package dev.leasehold.store;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.internal.Fields;
import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.StoreCorruptException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Records of the file store and of compare-and-set stores. */
public final class StoreFuzzTargets {
    private static final String RECORD =
            """
            leasehold lease 1
            name=nightly
            token=42
            attempt=attempt-0001
            holder=host-1-abc
            reason=expired
            note=why not
            acquired=1700000000000000
            deadline=1700000090000000
            term-micros=90000000
            released=false
            seen=1700000000000000
            progress-at=1700000000000001
            progress-note=half way
            checkpoint=page=7
            history=41 1690000000000000 takeover attempt-0000 10 host-1-abcit hung
            """;

    private StoreFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of(
                        "lease record",
                        StoreCorruptException.class,
                        StoreFuzzTargets::record,
                        RECORD,
                        Fields.withChecksum(RECORD)),
                FuzzTarget.of("lease history", IllegalArgumentException.class, StoreFuzzTargets::history, RECORD),
                FuzzTarget.of(
                        "fields",
                        IllegalArgumentException.class,
                        StoreFuzzTargets::fields,
                        "leasehold x 1\na=b\nc=\u001041d\n"),
                FuzzTarget.of(
                        "file name",
                        IllegalArgumentException.class,
                        StoreFuzzTargets::fileName,
                        "n-work%23a",
                        "n-a.b_c-d",
                        "h-x"));
    }

    private static void record(String text) {
        LeaseRecord record = GrantFiles.parse(Path.of("state"), text);
        FuzzTarget.requireSame(record, RecordText.parse(RecordText.format(record, List.of())));
    }

    private static void history(String text) {
        var history = RecordText.parseHistory(text);
        FuzzTarget.requireSame(history, RecordText.parseHistory(RecordText.format(RecordText.parse(RECORD), history)));
    }

    private static void fields(String text) {
        Fields fields = Fields.parse("leasehold x 1", text);
        String written = fields.format();
        FuzzTarget.requireBelow(written.length(), 3L * text.length() + 20);
        FuzzTarget.requireSame(written, Fields.parse("leasehold x 1", written).format());
    }

    /** A file in the directory of a register may have been put there by hand. */
    private static void fileName(String text) {
        if (text.startsWith("n-") || text.startsWith("h-")) {
            Optional<String> decoded = FileNames.decode(text);
            decoded.ifPresent(name -> FuzzTarget.requireSame(text, FileNames.encode(name)));
            FileNames.mayStartWith(text, "work#");
        }
    }
}
