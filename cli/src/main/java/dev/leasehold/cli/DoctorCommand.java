package dev.leasehold.cli;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.output.Json;
import dev.leasehold.doctor.Examination;
import dev.leasehold.doctor.Finding;
import dev.leasehold.doctor.Grade;
import dev.leasehold.doctor.StoreDoctor;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.LeaseTerms;
import java.util.ArrayList;
import java.util.List;

/** {@code leasehold doctor}: does this store really do what leases need, here, as it is set up now. */
final class DoctorCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("doctor", "examine a store and grade it, with the evidence")
                .description(
                        """
                        Races several clients against each other under scratch names, looks whether tokens survive
                        releases and reconnects, asks for settings that could lose them, and measures round trips and the
                        clock. Grades the store 'atomic', 'observed' or 'unsafe - do not use', with the evidence, and
                        removes what it made. Exit 69 if the store is unsafe or cannot be reached.""")
                .option(SharedOptions.TTL)
                .example("leasehold doctor --store file:/shared/leases --ttl 60s");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        LeaseTerms terms = LeaseTerms.ofTtl(SharedOptions.ttl(invocation.arguments()));
        StoreDoctor doctor = new StoreDoctor(invocation::openStoreQuietly, new SystemIds(), terms, step -> invocation
                .console()
                .say(step));
        Examination examination = doctor.examine();
        if (invocation.json()) {
            invocation.console().print(json(examination).toString());
        } else {
            print(invocation, examination);
        }
        return examination.grade() == Grade.UNSAFE ? ExitCode.UNAVAILABLE : ExitCode.OK;
    }

    private static void print(Invocation invocation, Examination examination) {
        for (Finding finding : examination.findings()) {
            String sign =
                    switch (finding.kind()) {
                        case GOOD -> "  ok       ";
                        case WARNING -> "  warning  ";
                        case FAULT -> "  FAULT    ";
                    };
            invocation.console().print(sign + invocation.console().safe(finding.text()));
        }
        invocation.console().print("grade: " + examination.grade().words());
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
                };
        return new Json().put("grade", grade).put("findings", findings);
    }
}
