package dev.leasehold.cli.child;

import java.util.List;

/**
 * Signal dispositions of the processes that tests start. A process inherits ignored signals, and a
 * JVM cannot change that for its children: started by {@code nohup mvn verify &}, every test
 * process would ignore HUP and INT.
 */
public final class Dispositions {
    /**
     * The prefix of a command line that gives every signal its default disposition, as in a
     * terminal.
     */
    public static final List<String> DEFAULT = List.of("env", "--default-signal");

    private Dispositions() {}
}
