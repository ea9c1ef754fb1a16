package dev.leasehold.cli.store;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.Finding;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.StoreId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What {@code leasehold doctor} prints. */
final class DoctorReport {
    private DoctorReport() {}

    static void print(Invocation invocation, Examination examination) {
        Console console = invocation.console();
        if (invocation.json()) {
            console.print(json(examination).toString());
            return;
        }
        for (Finding finding : examination.findings()) {
            String sign =
                    switch (finding.kind()) {
                        case GOOD -> "  ok       ";
                        case WARNING -> "  warning  ";
                        case FAULT -> "  FAULT    ";
                    };
            console.print(sign + console.safe(finding.text()));
        }
        console.print("grade: " + examination.grade().words());
    }

    private static Json json(Examination examination) {
        List<Json> findings = new ArrayList<>();
        for (Finding finding : examination.findings()) {
            String kind =
                    switch (finding.kind()) {
                        case GOOD -> "ok";
                        case WARNING -> "warning";
                        case FAULT -> "fault";
                    };
            findings.add(new Json().put("kind", kind).put("text", finding.text()));
        }
        String grade =
                switch (examination.grade()) {
                    case ATOMIC -> "atomic";
                    case OBSERVED -> "observed";
                    case UNSAFE -> "unsafe";
                    case UNKNOWN -> "unknown";
                };
        return new Json().put("grade", grade).put("findings", findings);
    }

    /** Returns the exit code. */
    static int printPeer(Invocation invocation, StoreId store, Duration waited, Optional<String> peer) {
        Console console = invocation.console();
        if (invocation.json()) {
            Json json = new Json().put("store", store).put("peer", peer.orElse(null));
            console.print(json.toString());
        } else if (peer.isPresent()) {
            console.print("one store: " + peer.get() + " sees it too");
        }
        if (peer.isEmpty()) {
            console.error("no other host was seen in " + DurationText.show(waited)
                    + ": 'leasehold doctor --peer' does not run there, or that host uses another store. Compare"
                    + " the store ids: here it is " + store);
        }
        return peer.isPresent() ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }
}
