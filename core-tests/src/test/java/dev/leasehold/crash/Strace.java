package dev.leasehold.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Records the system calls of one thread of a child process, or injects faults into them. */
public final class Strace implements AutoCloseable {
    /**
     * Calls that change a file, a name, a mode, a lock or durability; names that a platform lacks
     * are skipped.
     */
    private static final String CALLS =
            "?open,openat,write,pwrite64,?sendfile,?copy_file_range,fsync,fdatasync,ftruncate,fcntl,"
                    + "?rename,renameat,renameat2,?link,linkat,?symlink,symlinkat,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,"
                    + "?chmod,fchmod,fchmodat,?chown,?lchown,fchown,fchownat,utimensat";

    /**
     * Calls on files that can fail with a disk error. {@code close} is not among them: an injected
     * error would prevent it.
     */
    static final String FAILING = CALLS
            + ",read,pread64,?stat,fstat,?lstat,newfstatat,statx,?access,faccessat,?faccessat2,?readlink,readlinkat,getdents64";

    /**
     * Calls that change neither files, names, modes nor locks. A call in neither list is unknown.
     */
    private static final Set<String> HARMLESS = Set.of(
            "read",
            "pread64",
            "lseek",
            "close",
            "stat",
            "fstat",
            "lstat",
            "newfstatat",
            "statx",
            "statfs",
            "access",
            "faccessat",
            "faccessat2",
            "readlink",
            "readlinkat",
            "getdents64",
            "getcwd",
            "futex",
            "mmap",
            "munmap",
            "mprotect",
            "madvise",
            "brk",
            "rt_sigprocmask",
            "rt_sigaction",
            "rt_sigreturn",
            "sched_yield",
            "gettid",
            "getpid",
            "getuid",
            "geteuid",
            "clock_nanosleep",
            "nanosleep",
            "restart_syscall",
            "getrandom",
            "sysinfo",
            "sched_getaffinity",
            "umask",
            "uname",
            "ioctl",
            "poll",
            "ppoll",
            "dup",
            "dup2",
            "dup3",
            "exit",
            "clone",
            "clone3",
            "set_robust_list",
            "rseq",
            "prctl",
            "getrusage",
            "clock_gettime",
            "gettimeofday",
            "fstatfs");

    /**
     * Calls that read files or their attributes. Two are left out: an injected error in
     * {@code close} would leave a file open and locked, and most calls of {@code read} read random
     * numbers or the next command.
     */
    private static final Set<String> READS_FILES = Set.of(
            "pread64",
            "lseek",
            "stat",
            "fstat",
            "lstat",
            "newfstatat",
            "statx",
            "statfs",
            "fstatfs",
            "access",
            "faccessat",
            "faccessat2",
            "readlink",
            "readlinkat",
            "getdents64");

    private static final Pattern CALL = Pattern.compile("^(\\w+)\\((.*)$");

    private final Process process;
    private final Path log;

    private Strace(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * One recorded call.
     *
     * @param ordinal its number among the calls of this name, from 1
     */
    public record Call(String name, String arguments, int ordinal) {
        /**
         * Whether the call changes files. Kills between two calls that change nothing leave the
         * same files behind.
         */
        boolean changesFiles() {
            if (HARMLESS.contains(name)) {
                return false;
            }
            if (!isTraced()) {
                throw new AssertionError(
                        "a call that is not known to be harmless and into which no fault is injected: " + this);
            }
            return switch (name) {
                case "open", "openat" -> arguments.contains("O_CREAT");
                // Locks end with their process.
                case "fcntl", "fsync", "fdatasync" -> false;
                default -> true;
            };
        }

        /** Whether a fault can be injected into it. */
        boolean isTraced() {
            return List.of(CALLS.replace("?", "").split(",", -1)).contains(name);
        }

        boolean isAboutFiles() {
            return (isTraced() || READS_FILES.contains(name)) && !mentions("F_UNLCK") && !mentions("random>");
        }

        /**
         * Most calls of {@code read} read random numbers or the next command, so only files below
         * this directory count.
         */
        boolean readsFileBelow(Path directory) {
            return name.equals("read") && mentions(directory.toString());
        }

        public boolean isSync() {
            return name.equals("fsync") || name.equals("fdatasync");
        }

        boolean isWrite() {
            return name.equals("write") || name.equals("pwrite64");
        }

        boolean mentions(String text) {
            return arguments.contains(text);
        }

        @Override
        public String toString() {
            return name + "#" + ordinal + "(" + arguments;
        }
    }

    static Strace record(String thread, Path log) throws IOException {
        return attach(thread, log, CALLS, List.of());
    }

    /** Records every call, to check that no relevant one is missing. */
    static Strace recordAll(String thread, Path log) throws IOException {
        return attach(thread, log, "all", List.of());
    }

    /** Sends the signal when the thread is about to make this call. */
    public static Strace interfere(String thread, Path log, Call call, String signal) throws IOException {
        return attach(
                thread,
                log,
                CALLS + "," + call.name(),
                List.of("-e", "inject=" + call.name() + ":signal=" + signal + ":when=" + call.ordinal()));
    }

    /**
     * Injects other faults than signals.
     *
     * @param injections in the syntax of {@code strace -e inject=}
     */
    public static Strace inject(String thread, Path log, String... injections) throws IOException {
        List<String> more = new ArrayList<>();
        for (String injection : injections) {
            more.addAll(List.of("-e", "inject=" + injection));
        }
        return attach(thread, log, FAILING, more);
    }

    /** Makes this call of the thread fail without any effect. */
    static Strace fail(String thread, Path log, Call call, String error) throws IOException {
        return attach(
                thread,
                log,
                call.name(),
                List.of("-e", "inject=" + call.name() + ":error=" + error + ":when=" + call.ordinal()));
    }

    private static Strace attach(String thread, Path log, String calls, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "strace", "-y", "-s", "400", "-o", log.toString(), "-e", "trace=" + calls, "-e", "signal=none"));
        command.addAll(more);
        command.addAll(List.of("-p", thread));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (line == null || !line.contains("attached")) {
            throw new IOException("strace could not attach: " + line);
        }
        return new Strace(process, log);
    }

    /** Ends the tracing, but not the traced process, and returns the calls. */
    List<Call> finish() throws IOException, InterruptedException {
        close();
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(log)) {
            Matcher matcher = CALL.matcher(line);
            if (matcher.matches()) {
                String name = matcher.group(1);
                calls.add(new Call(name, matcher.group(2), counts.merge(name, 1, Integer::sum)));
            }
        }
        return calls;
    }

    @Override
    public void close() throws InterruptedException {
        // An interrupted strace detaches; a killed one may leave its child stopped.
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("strace does not end");
        }
    }
}
