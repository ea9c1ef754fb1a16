package dev.leasehold.crash;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedDirectory;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.FencedLog;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.FileLeaseStore;
import dev.leasehold.work.SideEffect;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A child process that executes one command a line and prints one line as the answer, so that a
 * test can control, trace, freeze and kill it. It answers several commands on one line, separated
 * by {@code ;}, one by one.
 */
public final class Actor {
    private static FileLeaseStore store;

    private Actor() {}

    /**
     * Commands run in their own thread, so that its system calls do not include the reading of
     * commands.
     */
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            String line;
            while ((line = in.readLine()) != null) {
                String[] commands = line.split(";", -1);
                executor.submit(() -> {
                            for (String command : commands) {
                                say(answer(command.split(" ", -1)));
                            }
                        })
                        .get();
            }
        } finally {
            executor.shutdown();
        }
    }

    /**
     * Writes each line immediately, so that the test sees it even if this process dies right after.
     */
    static void say(String text) {
        byte[] bytes = (text.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (Actor.class) {
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "thread" ->
                    Files.readSymbolicLink(Path.of("/proc/thread-self"))
                            .getFileName()
                            .toString();
                case "open" -> open(Path.of(words[1]));
                case "acquire" ->
                    outcome(store.acquire(
                            LeaseName.of(words[1]), AttemptId.of(words[2]), Holder.of("child"), millis(words[3])));
                case "takeover" ->
                    outcome(store.intervene(Intervention.takeover(
                            LeaseName.of(words[1]),
                            AttemptId.of(words[2]),
                            Holder.of("child"),
                            millis(words[3]),
                            Note.of("test"))));
                case "renew" ->
                    store.renew(List.of(new RenewRequest(grant(words[1]), millis(words[2]))))
                            .toString();
                case "inspect", "cancel", "list", "history", "register" -> storeAnswer(words);
                case "release" -> store.release(grant(words[1]), Duration.ZERO).toString();
                case "raise", "admit", "once", "state" -> fenceAnswer(words);
                case "publish", "append", "append-once" -> targetAnswer(words);
                case "effect" -> effect(grant(words[1]), OperationId.of(words[2]), words[3]);
                case "read" -> Files.readString(Path.of(words[1]));
                case "overwrite" -> overwrite(Path.of(words[1]), words[2]);
                case "storm" ->
                    new Storm(store, Path.of(words[1]), words[2].equals("fenced"), Actor::say).run(millis(words[3]));
                case "exec" -> exec(List.of(words).subList(1, words.length));
                case "fill" -> fill(Path.of(words[1]));
                case "delete" -> Boolean.toString(Files.deleteIfExists(Path.of(words[1])));
                default -> "unknown command";
            };
        } catch (Exception e) {
            return "failed " + e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    private static String storeAnswer(String[] words) {
        return switch (words[0]) {
            case "inspect" -> store.inspect(LeaseName.of(words[1])).toString();
            case "cancel" ->
                outcome(store.intervene(Intervention.cancel(
                        LeaseName.of(words[1]), AttemptId.of(words[2]), Holder.of("child"), Note.of("test"))));
            case "list" -> store.list("", "", 100).toString();
            case "history" -> store.history(LeaseName.of(words[1]), 100).toString();
            default -> registerAnswer(words);
        };
    }

    private static String registerAnswer(String[] words) {
        CasRegister register = store.register();
        CasRegister.Reading reading = register.read(words[2]);
        return switch (words[1]) {
            case "read" -> "value " + reading.value().orElse("absent");
            case "set" -> "set " + register.compareAndSet(words[2], reading.version(), words[3]);
            case "remove" -> "removed " + register.remove(words[2], reading.version());
            default -> "keys " + register.keys("", "", 100);
        };
    }

    private static String fenceAnswer(String[] words) {
        FencedFile fence = fence(words[1]);
        return switch (words[0]) {
            case "raise" -> fence.raise(grant(words[2])).toString();
            case "admit" -> fence.admit(grant(words[2]), Content.of(words[3])).toString();
            case "once" ->
                fence.admitOnce(grant(words[2]), Content.of(words[3])).toString();
            default -> fence.state().toString();
        };
    }

    private static String targetAnswer(String[] words) {
        Path target = Path.of(words[1]);
        Grant grant = grant(words[2]);
        if (words[0].startsWith("append")) {
            // Concurrent writers wait for each other, on a busy machine for a long time.
            FencedLog log = FencedLog.at(target).waitingAtMost(Duration.ofSeconds(20));
            Content record = Content.of(words[3]);
            return (words[0].equals("append-once") ? log.admitOnce(grant, record) : log.admit(grant, record))
                    .toString();
        }
        return FencedDirectory.at(target)
                .waitingAtMost(Duration.ofMillis(500))
                .keeping(0)
                .admitOnce(grant, Path.of(words[3]))
                .toString();
    }

    /** Ends this process in the middle of the call if {@code says} is {@code die}. */
    private static String effect(Grant grant, OperationId operation, String says) throws Exception {
        return new SideEffect(store, new SystemTicker())
                .perform(grant, operation, key -> {
                    if (says.equals("die")) {
                        Runtime.getRuntime().halt(1);
                    }
                    return SideEffect.Answer.made(says);
                })
                .toString();
    }

    private static String open(Path directory) {
        store = FileLeaseStore.create(directory);
        return "store " + store.id();
    }

    private static String outcome(Acquisition answer) {
        return answer instanceof Acquisition.Granted granted
                ? "granted " + granted.grant().encode().replace(';', ',')
                : answer.toString();
    }

    public static Grant grant(String text) {
        return Grant.decode(text.replace(',', ';'));
    }

    private static FencedFile fence(String path) {
        return FencedFile.at(Path.of(path)).waitingAtMost(Duration.ofMillis(500));
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }

    /** Replaces the whole file atomically, without a fence: the last writer wins. */
    static String overwrite(Path file, String content) throws IOException {
        Path temporary = file.resolveSibling("plain-" + new SystemIds().unique());
        Files.writeString(temporary, content);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return "overwritten";
    }

    private static String exec(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output;
    }

    /** Fills the disk to the last byte. */
    private static String fill(Path file) throws IOException {
        byte[] chunk = new byte[4096];
        long written = 0;
        try (var out = Files.newOutputStream(file)) {
            while (written < 64_000_000) {
                out.write(chunk);
                written += chunk.length;
            }
        } catch (IOException full) {
            return "filled with " + written;
        }
        throw new StoreUnavailableException("this disk is too large to fill");
    }
}
