package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.UnreliableLink;
import dev.leasehold.testkit.nemesis.Said.Word;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One holder process after another, with a wall clock and a way to the server that are theirs alone. */
final class Host implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final String contract;
    private final String mode;
    private final int number;
    private final Site site;
    private final Testimony testimony;
    private final WallClock clock;
    private final @Nullable UnreliableLink link;
    private int processes;
    private @Nullable Process process;
    private @Nullable Thread listener;
    private volatile @Nullable Said latest;

    Host(String contract, String mode, Path directory, int number, Site site, Testimony testimony) throws IOException {
        this.contract = contract;
        this.mode = mode;
        this.number = number;
        this.site = site;
        this.testimony = testimony;
        this.clock = new WallClock(directory.resolve("clock-" + number));
        this.link = site.port().isPresent() ? new UnreliableLink(site.port().getAsInt()) : null;
    }

    void start() throws IOException {
        processes++;
        latest = null;
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                HolderMain.class.getName(),
                contract,
                site.address(link == null ? 0 : link.port()),
                mode,
                "h" + number + "." + processes);
        clock.giveTo(builder.environment());
        // Drivers complain of every cut connection; what matters is said on the other pipe.
        Process started = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process = started;
        Thread listening = new Thread(() -> hearOut(started), "holder " + number);
        listening.setDaemon(true);
        listening.start();
        listener = listening;
    }

    private void hearOut(Process from) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Said said = Said.parse(line);
                latest = said;
                testimony.add(said);
            }
        } catch (IOException | RuntimeException e) {
            testimony.add(new Said(Word.FAILED, 0, "unheard: " + e, 0, 0, 0));
        }
    }

    /** The token under which it has read and not yet written, or 0. */
    long thinkingUnder() {
        Said said = latest;
        return said != null && said.word() == Word.READ ? said.token() : 0;
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** The next process on this host is another holder, with another name. */
    void killAndStart() throws IOException, InterruptedException {
        kill();
        start();
    }

    void jumpClock(long seconds) throws IOException {
        clock.jump(seconds);
    }

    @Nullable
    UnreliableLink link() {
        return link;
    }

    /** How many connections and messages of its processes came to harm. */
    long harmed() {
        return link == null ? 0 : link.harmed();
    }

    /** By signal: a destroyed process's last words could not be heard. */
    private void kill() throws IOException, InterruptedException {
        signal("KILL");
        awaitEnd();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(running().pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("cannot send " + name + " to holder " + number);
        }
    }

    private Process running() {
        Process now = process;
        if (now == null) {
            throw new IllegalStateException("holder " + number + " was not started");
        }
        return now;
    }

    /** Lets it finish what it does, and hears it out. */
    void finish() throws IOException, InterruptedException {
        running().getOutputStream().close();
        awaitEnd();
    }

    private void awaitEnd() throws IOException, InterruptedException {
        Process ending = running();
        if (!ending.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("holder " + number + " does not end");
        }
        Thread hearing = listener;
        if (hearing != null) {
            hearing.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        }
        WallClock.forget(ending.pid());
    }

    @Override
    public void close() throws IOException {
        Process left = process;
        if (left != null) {
            left.destroyForcibly();
            left.onExit().join();
            WallClock.forget(left.pid());
        }
        if (link != null) {
            link.close();
        }
    }

    /** All of them, whatever becomes of one. */
    static void closeAll(List<Host> hosts) throws IOException {
        IOException failure = null;
        for (Host host : hosts) {
            try {
                host.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
