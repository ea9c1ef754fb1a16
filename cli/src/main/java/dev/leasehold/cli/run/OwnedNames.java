package dev.leasehold.cli.run;

import dev.leasehold.agents.DiskWorkspace;
import dev.leasehold.agents.FilePlace;
import dev.leasehold.agents.Refusal;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.model.LeaseName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leases that a command line names for an owner: by their names, or by the paths of files. */
final class OwnedNames {
    static final Option AS = Option.of(
            "as",
            "ID",
            Kind.TEXT,
            "the owner: whoever names the same ID shares the lease. Choose one that nobody guesses");
    static final Option PATH = Option.of("path", "F", Kind.FILE, "the lease of this file, as agents use it")
            .repeated();

    private static final int LEAST_ID = 8;
    private static final int LONGEST_ID = 1000;

    private OwnedNames() {}

    static boolean areMeant(Arguments arguments) {
        return arguments.has(AS) || arguments.has(PATH);
    }

    /** The id of the owner; null if none is given. */
    static @Nullable String id(Arguments arguments) {
        String id = arguments.text(AS);
        if (id != null && (id.length() < LEAST_ID || id.length() > LONGEST_ID)) {
            throw new UsageException("--as needs " + LEAST_ID + " to " + LONGEST_ID
                    + " characters: whoever knows the ID can renew and release what it holds");
        }
        return id;
    }

    /** The names in the order of the command line. Empty if none is given. */
    static List<LeaseName> of(Arguments arguments) {
        List<LeaseName> names = new ArrayList<>();
        if (arguments.positional(0) != null) {
            names.add(arguments.leaseName(0));
        }
        String here = Path.of("").toAbsolutePath().toString();
        for (String path : arguments.all(PATH)) {
            try {
                FilePlace place = new DiskWorkspace(Path.of(here)).locate(here, path);
                if (!names.contains(place.name())) {
                    names.add(place.name());
                }
            } catch (Refusal e) {
                throw new UsageException("--path " + SafeText.quote(path) + ": " + e.reason(), e);
            }
        }
        return names;
    }
}
