package dev.leasehold.crash;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Commands for an {@link Actor}, and what must hold after one of their system calls failed. */
public interface CrashScenario {
    void prepare(Path directory) throws Exception;

    /** Commands that run before the script, without faults. */
    default List<String> before(Path directory) {
        return List.of();
    }

    /** Commands for an {@link Actor}, separated by {@code ;}. */
    String script(Path directory);

    /**
     * Checks the files after a run.
     *
     * @param answers one answer for each command that the process finished
     * @param point the call and its fault, for messages
     */
    void check(Path directory, List<String> answers, String point) throws Exception;

    /**
     * Checks a run whose process survived.
     *
     * @param call the call into which the fault was injected; null if there was none
     */
    default void check(ActorProcess actor, Path directory, List<String> answers, Strace.Call call, String point)
            throws Exception {
        check(directory, answers, point);
    }

    /**
     * Starts a process that runs the script in scratch directories first. This loads its classes:
     * otherwise a run would make system calls that have nothing to do with the commands.
     */
    default ActorProcess startWarmed(Path directory, int times) throws Exception {
        ActorProcess actor = ActorProcess.start();
        for (int i = 0; i < times; i++) {
            Path scratch = prepared(actor, directory.resolve("scratch-" + i));
            actor.askScript(script(scratch));
        }
        return actor;
    }

    /** A new directory in which the script can run. */
    default Path prepared(ActorProcess actor, Path directory) throws Exception {
        Files.createDirectories(directory);
        prepare(directory);
        actor.askAll(before(directory));
        return directory;
    }
}
