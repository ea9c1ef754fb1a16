package dev.leasehold.testkit.nemesis;

import dev.leasehold.testkit.UnreliableLink;
import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one holder process after another. Each host has its own wall clock and its own link to the
 * server.
 */
final class Host implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final String contract;
    private final String mode;
    private final int number;
    private final Site site;
    private final HolderReports reports;
    private final WallClock clock;
    private final @Nullable UnreliableLink link;
    private int processes;
    private @Nullable Process process;
    private @Nullable Thread listener;
    private volatile @Nullable HolderReport latest;

    Host(String contract, String mode, Path directory, int number, Site site, HolderReports reports)
            throws IOException {
        this.contract = contract;
        this.mode = mode;
        this.number = number;
        this.site = site;
        this.reports = reports;
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
        // Drivers log every cut connection; the reports come on the other pipe.
        Process started = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process = started;
        Thread listening = new Thread(() -> readReports(started), "holder " + number);
        listening.setDaemon(true);
        listening.start();
        listener = listening;
    }

    private void readReports(Process from) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                HolderReport report = HolderReport.parse(line);
                latest = report;
                reports.add(report);
            }
        } catch (IOException | RuntimeException e) {
            reports.add(new HolderReport(Kind.FAILED, 0, "unreadable: " + e, 0, 0, 0));
        }
    }

    /** The token with which the holder has read but not yet written, or 0. */
    long tokenBetweenReadAndWrite() {
        HolderReport report = latest;
        return report != null && report.kind() == Kind.READ ? report.token() : 0;
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** The next process on this host is another holder with another name. */
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

    /** The number of damaged connections and messages of its processes. */
    long damaged() {
        return link == null ? 0 : link.damaged();
    }

    /** Sends a signal, because the last output of a destroyed process cannot be read. */
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

    /** Lets the holder finish its current step and reads its last reports. */
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

    /** Closes all hosts, even if closing one fails. */
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
