package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A process that takes a lease, stands still, and writes when it wakes up. */
final class Zombie implements AutoCloseable {
    private static final String SCRIPT =
            """
            call() { curl -s -H 'Content-Type: application/json' -w '%%{http_code}\\n' -d "$2" "%1$s/v1/$1"; }
            call leases/acquire '{"name":"%2$s","ttlMs":3000,"holder":"web-1","attempt":"attempt-zombie"}'
            call fences/raise '{"resource":"%3$s","name":"%2$s","token":1}'
            echo started
            read go
            call fences/admit '{"resource":"%3$s","name":"%2$s","token":1}'
            """;

    private final Process process;
    private final BufferedReader output;
    private final URI server;

    private Zombie(Process process, URI server) {
        this.process = process;
        this.server = server;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static Zombie start(URI server, String name, String resource) throws IOException {
        Process process = new ProcessBuilder("bash", "-c", SCRIPT.formatted(server, name, resource))
                .redirectErrorStream(true)
                .start();
        Zombie zombie = new Zombie(process, server);
        String line = zombie.output.readLine();
        while (line != null && !line.equals("started")) {
            line = zombie.output.readLine();
        }
        assertThat(line).isEqualTo("started");
        return zombie;
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("bash", "-c", "kill -" + name + " " + process.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    void freeze() throws Exception {
        signal("STOP");
    }

    /** Somebody else writes to the resource meanwhile. */
    void write(Grant grant, String resource) throws Exception {
        for (String call : new String[] {"raise", "admit"}) {
            HttpRequest request = HttpRequest.newBuilder(server.resolve("/v1/fences/" + call))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"resource\":\"%s\",\"name\":\"%s\",\"token\":%d}"
                            .formatted(resource, grant.name(), grant.token().value())))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** It goes on, and writes. Returns what it was answered. */
    String thaw() throws Exception {
        signal("CONT");
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return output.lines().reduce("", String::concat);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }
}
