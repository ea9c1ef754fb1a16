package dev.leasehold.cli.child;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes of the command's session, seen from the wrapper. Used when the supervisor cannot
 * end them. Zombies do not count: in a container they may never be reaped.
 */
final class UnixSession {
    private final Platform platform;
    private final long id;

    UnixSession(Platform platform, long id) {
        this.platform = platform;
        this.id = id;
    }

    boolean alive() throws IOException, InterruptedException {
        Path proc = platform.proc();
        return proc == null ? signalGroup("0") : !members(proc).isEmpty();
    }

    void terminate() throws IOException, InterruptedException {
        Path proc = platform.proc();
        if (proc == null) {
            signalGroup("TERM");
            return;
        }
        members(proc).forEach(ProcessHandle::destroy);
    }

    /**
     * Kills the members that live now. One may be forking meanwhile, so repeat this until
     * {@link #alive} is false.
     */
    void kill() throws IOException, InterruptedException {
        Path proc = platform.proc();
        if (proc == null) {
            signalGroup("KILL");
            return;
        }
        members(proc).forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> members(Path proc) throws IOException {
        List<ProcessHandle> members = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (belongs(process)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(members::add);
                }
            }
        }
        return members;
    }

    private boolean belongs(Path process) {
        try {
            // The name of the program is in parentheses and may itself contain parentheses and
            // newlines.
            String stat = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(") ") + 2).split(" ", 5);
            return fields[3].equals(Long.toString(id)) && !fields[0].equals("Z") && !fields[0].equals("X");
        } catch (IOException ended) {
            return false;
        }
    }

    private boolean signalGroup(String signal) throws IOException, InterruptedException {
        return new ProcessBuilder(platform.bash().toString(), "-p", "-c", "kill -s " + signal + " -- -" + id)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
