package dev.leasehold.firestore;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Google's emulator on a free loopback port. It keeps everything in memory. */
final class FirestoreEmulator implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final int port;
    private final Path log = Files.createTempFile("leasehold-firestore", ".log");
    private final Process process;

    private FirestoreEmulator() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        // Without the script of the emulator, which would be a second process to end.
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.language=en",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        InstalledProgram.require(InstalledProgram.FIRESTORE)
                                .resolveSibling("cloud-firestore-emulator.jar")
                                .toString(),
                        "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
                        "start",
                        "--host=127.0.0.1",
                        "--port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    static FirestoreEmulator start() throws IOException, InterruptedException {
        FirestoreEmulator server = new FirestoreEmulator();
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && server.process.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port)) {
                return server;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        throw new IOException("the emulator did not start:\n" + Files.readString(server.log));
    }

    int port() {
        return port;
    }

    String url(String collection, String timeout) {
        return url(port, collection, timeout);
    }

    String url(int otherPort, String collection, String timeout) {
        return "firestore://demo-leasehold/" + collection + "?timeout=" + timeout + "&emulator=127.0.0.1:" + otherPort;
    }

    void stopForAWhile() throws IOException, InterruptedException {
        signal("STOP");
        Thread.sleep(1500);
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        Files.deleteIfExists(log);
    }
}
