package dev.leasehold.testkit.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A ZooKeeper of one server. */
public final class ZooKeeperServer extends JavaServer {
    private final String more;

    private ZooKeeperServer(String classPath, String more) throws IOException {
        super("zookeeper", classPath);
        this.more = more;
    }

    /** @param more lines for the server's settings */
    public static ZooKeeperServer start(String classPath, String more) throws IOException, InterruptedException {
        ZooKeeperServer server = new ZooKeeperServer(classPath, more);
        server.startFirst();
        return server;
    }

    @Override
    List<String> main() throws IOException {
        Path settings = directory().resolve("zoo.cfg");
        Files.writeString(
                settings,
                "tickTime=500\ndataDir=" + directory().resolve("data") + "\nclientPort=" + port()
                        + "\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n4lw.commands.whitelist=ruok,srvr,wchs\nmaxClientCnxns=0\n"
                        + more);
        return List.of("org.apache.zookeeper.server.ZooKeeperServerMain", settings.toString());
    }

    @Override
    protected boolean isReady(Socket connection) throws IOException {
        connection.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
        return new String(connection.getInputStream().readNBytes(4), StandardCharsets.US_ASCII).equals("imok");
    }

    public String url() {
        return url("/team/leases");
    }

    public String url(String path) {
        return "zookeeper://127.0.0.1:" + port() + path + "?timeout=30s";
    }
}
