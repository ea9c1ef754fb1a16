package dev.leasehold.server;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, which a test can kill. It always has the same port. */
final class ServerProcess implements AutoCloseable {
    private final String store;
    private final int port;
    private Process process;

    ServerProcess(String store) throws Exception {
        this.store = store;
        this.port = LoopbackPort.free();
        start();
    }

    int port() {
        return port;
    }

    private void start() throws Exception {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerProcess.class.getName(),
                        store,
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("target/server-process.log")))
                .start();
    }

    /** As a crash would. */
    void restart() throws Exception {
        process.destroyForcibly().waitFor();
        start();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
    }

    /** The process: the URL of a store, and a port. It ends when it is killed, or its parent has ended. */
    public static void main(String[] args) throws Exception {
        try (LeaseStore store = Stores.create(args[0]);
                LeaseholdServer server = LeaseholdServer.over(store)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])))
                        .start()) {
            ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
            System.out.println("listening on " + server.uri());
            parent.onExit().get();
        }
    }
}
