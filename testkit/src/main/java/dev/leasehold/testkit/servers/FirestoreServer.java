package dev.leasehold.testkit.servers;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Google's emulator of Firestore. It keeps everything in memory. */
public final class FirestoreServer extends JavaServer {
    /** Without the script of the emulator, which would be a second process to end. */
    private FirestoreServer(Path emulator) throws IOException {
        super(
                "firestore",
                emulator.resolveSibling("cloud-firestore-emulator.jar").toString());
    }

    public static FirestoreServer start() throws IOException, InterruptedException {
        FirestoreServer server = new FirestoreServer(InstalledProgram.require(InstalledProgram.FIRESTORE));
        server.startFirst();
        return server;
    }

    @Override
    List<String> main() {
        return List.of(
                "com.google.cloud.datastore.emulator.firestore.CloudFirestore",
                "start",
                "--host=127.0.0.1",
                "--port=" + port());
    }

    public String url(String collection, String timeout) {
        return url(port(), collection, timeout);
    }

    public static String url(int port, String collection, String timeout) {
        return "firestore://demo-leasehold/" + collection + "?timeout=" + timeout + "&emulator=127.0.0.1:" + port;
    }

    /** It keeps nothing over a restart, so this is the outage that it can have. */
    public void stopForAWhile() throws IOException, InterruptedException {
        signal("STOP");
        Thread.sleep(1500);
        signal("CONT");
    }
}
