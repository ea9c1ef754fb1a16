package dev.leasehold.jobs.file;

import dev.leasehold.model.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** The mistakes of one file, in the order in which they are found. */
final class Problems {
    private static final int MAX_SHOWN = 20;
    private static final int MAX_LENGTH = 1000;

    private final String file;
    private final List<String> found = new ArrayList<>();
    private int more;

    Problems(String file) {
        this.file = file;
    }

    void add(Optional<Mark> where, String field, String what) {
        if (found.size() == MAX_SHOWN) {
            more++;
            return;
        }
        String line = where.map(mark -> ":" + (mark.getLine() + 1)).orElse("");
        // Names of fields and jobs come from the file and may contain anything.
        found.add(file + line + ": " + Text.shown((field.isEmpty() ? "" : field + ": ") + what, MAX_LENGTH));
    }

    void throwIfAny() throws JobFileException {
        if (more > 0) {
            found.add(file + ": and " + more + " more");
        }
        if (!found.isEmpty()) {
            throw new JobFileException(found);
        }
    }
}
