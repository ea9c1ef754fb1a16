package dev.leasehold.spring.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One application in its own process, and the lines that it has printed. */
record StormProcess(Process process, Path log, TestJdk jdk) {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    static StormProcess start(TestJdk jdk, String classPath, int port, Path log) throws IOException {
        Process process = new ProcessBuilder(
                        jdk.java(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        StormApplication.class.getName(),
                        "--spring.datasource.url=jdbc:postgresql://localhost:" + port + "/postgres",
                        "--spring.datasource.username=postgres",
                        "--spring.main.banner-mode=off",
                        "--spring.main.web-application-type=none",
                        "--spring.task.scheduling.pool.size=2",
                        // Where the JDK has them.
                        "--spring.threads.virtual.enabled=true",
                        "--leasehold.fencing.exempt=unfenced",
                        "--logging.level.root=warn")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new StormProcess(process, log, jdk);
    }

    void await(String line) throws Exception {
        long started = System.nanoTime();
        while (count(line) == 0) {
            if (!process.isAlive() || System.nanoTime() - started > LIMIT_NANOS) {
                throw new IllegalStateException("the application did not say " + line + ":\n" + Files.readString(log));
            }
            Thread.sleep(50);
        }
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    long count(String beginning) throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.startsWith(beginning)).count();
        }
    }

    /** Lets the current additions end, and begins no others. */
    void end() throws Exception {
        process.getOutputStream().write("end\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        await("ENDED");
    }

    void destroy() {
        process.destroyForcibly();
    }
}
