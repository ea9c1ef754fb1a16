package dev.leasehold.crash;

import dev.leasehold.model.Grant;
import dev.leasehold.work.SideEffect;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link Actor}: commands go in, answers come out, and it can be frozen and killed for real. */
public final class ActorProcess implements AutoCloseable {
    private final Process process;
    private final BufferedWriter in;
    private final BufferedReader out;

    private ActorProcess(Process process) {
        this.process = process;
        this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** @param prefix a program that runs another one: {@code unshare}, {@code setpriv}; empty to start it plainly */
    public static ActorProcess start(String... prefix) throws IOException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp"));
        command.add(placeOf(Actor.class) + ":" + placeOf(Grant.class) + ":" + placeOf(SideEffect.class));
        command.add(Actor.class.getName());
        return new ActorProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static String placeOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return Path.of(source.getLocation().getPath()).toString();
    }

    public void send(String command) throws IOException {
        in.write(command);
        in.newLine();
        in.flush();
    }

    /** The next line of output, or null if the process ended. */
    public String hear() throws IOException {
        return out.readLine();
    }

    public String ask(String command) throws IOException {
        send(command);
        String answer = hear();
        if (answer == null) {
            throw new IOException("the child died while doing: " + command);
        }
        return answer;
    }

    /** One answer a command. */
    List<String> askAll(List<String> commands) throws IOException {
        List<String> answers = new ArrayList<>();
        for (String command : commands) {
            answers.add(ask(command));
        }
        return answers;
    }

    /** Everything it still says, until it ends or closes its output. */
    List<String> hearAll() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = hear(); line != null; line = hear()) {
            lines.add(line);
        }
        return lines;
    }

    void finishInput() throws IOException {
        in.close();
    }

    public long pid() {
        return process.pid();
    }

    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("cannot send " + name + " to " + pid());
        }
    }

    /** SIGKILL, which also ends a frozen process. What it said before can still be heard, unlike after a destroy. */
    public void kill() throws IOException, InterruptedException {
        signal("KILL");
        awaitDeath();
    }

    public void awaitDeath() throws InterruptedException {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + pid() + " should be dead and is not");
        }
    }

    /** Whether it was ended by SIGKILL and not by itself. */
    boolean wasKilled() throws InterruptedException {
        awaitDeath();
        return process.exitValue() == 128 + 9;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
