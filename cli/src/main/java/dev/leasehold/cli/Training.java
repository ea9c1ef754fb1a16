package dev.leasehold.cli;

import java.util.List;

/**
 * Runs the commands whose classes go into the archive that makes them start fast. They run in one
 * process, because since JDK 25 an archive can hold only one run. The launcher starts this in an
 * empty store.
 */
final class Training {
    private static final List<String> RUN = List.of("run", "x", "--", "true");

    /** The second run finds what the first has left, which is the usual case. */
    private static final List<List<String>> COMMANDS = List.of(RUN, RUN, List.of("status"));

    private Training() {}

    public static void main(String[] args) {
        for (List<String> command : COMMANDS) {
            Main.execute(command.toArray(new String[0]), System.getenv(), System.in, System.out, System.err);
        }
        Main.main(new String[] {"--version"});
    }
}
