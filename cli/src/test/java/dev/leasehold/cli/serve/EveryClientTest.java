package dev.leasehold.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.JsonText;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.store.ServerStore;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shell with curl, Python, TypeScript, Java and the command line use one lease through two servers
 * on one PostgreSQL, while now this and now that server is killed. Each becomes a zombie in its turn,
 * and no zombie can write.
 */
@Requires({"curl", "python3", "node", "tsc"})
class EveryClientTest {
    @RegisterExtension
    static final ServerStore POSTGRESQL = ServerStore.POSTGRESQL;

    private static final Path CLIENTS = Path.of("../clients").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private final Map<Integer, Process> servers = new LinkedHashMap<>();
    private final List<Integer> ports = new ArrayList<>();
    private CliRunner cli;
    private Path page;

    /** A client that takes the lease, writes, and later tries to write with its old token. */
    private interface Client {
        /** The token, or zero if the lease is busy. */
        long acquire() throws Exception;

        /** False if the token is stale. */
        boolean writes() throws Exception;
    }

    @AfterEach
    void stopAll() {
        started.forEach(Process::destroyForcibly);
        servers.values().forEach(Process::destroyForcibly);
    }

    private void startServer(int port) throws Exception {
        Process server = CliRunner.withMissingStore(folder.resolve("none"))
                .env("LEASEHOLD_STORE", POSTGRESQL.url())
                .withDrivers()
                .start("serve", "--listen", "127.0.0.1:" + port, "--json");
        servers.put(port, server);
        assertThat(new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))
                        .readLine())
                .contains("\"url\"");
    }

    @Test
    void everyClientObeysTheSameLeaseAndNoZombieWrites() throws Exception {
        CliRunner.withMissingStore(folder.resolve("none"))
                .env("LEASEHOLD_STORE", POSTGRESQL.url())
                .run("store", "init");
        for (int i = 0; i < 2; i++) {
            ports.add(LoopbackPort.free());
            startServer(ports.get(i));
        }
        String urls = "http://127.0.0.1:" + ports.get(0) + ",http://127.0.0.1:" + ports.get(1);
        cli = CliRunner.withMissingStore(folder.resolve("none"))
                .env("LEASEHOLD_STORE", urls.replace(",http://", ","))
                .env("PATH", System.getenv("PATH"))
                .withDrivers();
        page = Files.writeString(folder.resolve("page"), "first");
        try (Leases leases = Leases.open(cli.environment().get("LEASEHOLD_STORE"))) {
            Map<String, Client> clients = new LinkedHashMap<>();
            clients.put("curl", new Curl());
            clients.put("python", new Driven("python3", CLIENTS.resolve("python/driver.py") + "", urls));
            clients.put("typescript", new Driven("node", compiled() + "", urls));
            clients.put("java", new Java(leases));
            clients.put("cli", new CommandLine());
            everyOneInTurn(clients);
        }
        assertThat(page).hasContent("cli");
    }

    private void everyOneInTurn(Map<String, Client> clients) throws Exception {
        List<String> zombies = new ArrayList<>();
        long last = 0;
        int killed = 0;
        for (String name : clients.keySet()) {
            Client owner = clients.get(name);
            long token = owner.acquire();
            assertThat(token).as(name).isGreaterThan(last);
            last = token;
            for (String other : clients.keySet()) {
                if (!other.equals(name) && !zombies.contains(other)) {
                    assertThat(clients.get(other).acquire()).as(other).isZero();
                }
            }
            int port = ports.get(killed++ % 2);
            servers.get(port).destroyForcibly().waitFor();
            assertThat(owner.writes()).as(name + " with one server").isTrue();
            takeOver();
            zombies.add(name);
            for (String zombie : zombies) {
                assertThat(clients.get(zombie).writes()).as("zombie " + zombie).isFalse();
            }
            startServer(port);
        }
    }

    /** An operator takes the lease, raises both targets, and gives it back. */
    private void takeOver() throws Exception {
        CliRunner.Result taken =
                cli.run("takeover", "shared", "--reason", "it hangs", "--guard", page.toString(), "--json");
        assertThat(taken.code()).as(taken.err()).isZero();
        long token = (Long) JsonText.object(taken.out()).get("token");
        assertThat(curl("/v1/fences/raise", "{\"resource\":\"page\",\"name\":\"shared\",\"token\":" + token + "}"))
                .isEqualTo("200");
        assertThat(cli.run("release", "shared", "--token", Long.toString(token)).code())
                .isZero();
    }

    /** Asks the first server that answers, as a shell script would. The body is in the file "answer". */
    private String curl(String path, String body) throws Exception {
        String script =
                "for p in %d %d; do curl -s -m 20 -o answer -w '%%{http_code}' localhost:$p%s --json '%s' && exit 0; done"
                        .formatted(ports.get(0), ports.get(1), path, body);
        Process process = new ProcessBuilder("sh", "-c", script)
                .directory(folder.toFile())
                .start();
        // A server that does not answer has the status 000.
        String status = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return status.substring(status.length() - 3);
    }

    private final class Curl implements Client {
        private long token;

        @Override
        public long acquire() throws Exception {
            String status = curl("/v1/leases/acquire", "{\"name\":\"shared\",\"ttlMs\":600000,\"holder\":\"curl\"}");
            if (status.equals("409")) {
                return 0;
            }
            assertThat(status).isEqualTo("200");
            token = (Long)
                    JsonText.object(Files.readString(folder.resolve("answer"))).get("token");
            return token;
        }

        @Override
        public boolean writes() throws Exception {
            String status =
                    curl("/v1/fences/admit", "{\"resource\":\"page\",\"name\":\"shared\",\"token\":" + token + "}");
            assertThat(status).isIn("200", "412");
            return status.equals("200");
        }
    }

    /** A client in another language, in a process that is told what to do. */
    private final class Driven implements Client {
        private final Process process;
        private final BufferedReader answers;
        private long token;

        Driven(String... command) throws IOException {
            process = new ProcessBuilder(command)
                    .redirectError(folder.resolve("errors").toFile())
                    .start();
            started.add(process);
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** The answer without blanks: {"value":...} or {"error":"Busy","detail":...}. */
        private String tell(String call) throws IOException {
            process.getOutputStream().write((call + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            assertThat(answer).as(Files.readString(folder.resolve("errors"))).isNotNull();
            return answer.replace(" ", "");
        }

        @Override
        public long acquire() throws Exception {
            String answer = tell("[\"acquire\",\"shared\",600000,0]");
            if (answer.startsWith("{\"error\":\"Busy\"")) {
                return 0;
            }
            assertThat(answer).startsWith("{\"value\":");
            token = Long.parseLong(answer.replaceAll("\\D", ""));
            return token;
        }

        @Override
        public boolean writes() throws Exception {
            String answer = tell("[\"admit\"," + token + ",\"page\"]");
            boolean stale = answer.startsWith("{\"error\":\"Stale\"");
            assertThat(stale || answer.startsWith("{\"value\":") || answer.equals("{}"))
                    .as(answer)
                    .isTrue();
            return !stale;
        }
    }

    private Path compiled() throws Exception {
        Path compiled = Files.createDirectory(folder.resolve("compiled"));
        Process compiler = new ProcessBuilder(
                        "tsc", "--project", CLIENTS.resolve("typescript").toString(), "--outDir", compiled.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(output).isZero();
        Files.writeString(compiled.resolve("package.json"), "{\"type\":\"module\"}");
        return compiled.resolve("driver.js");
    }

    private final class Java implements Client {
        private final Leases leases;
        private Lease lease;

        Java(Leases leases) {
            this.leases = leases;
        }

        @Override
        public long acquire() {
            AcquireResult result = leases.tryAcquire("shared");
            lease = result.lease().orElse(null);
            return lease == null ? 0 : lease.grant().token().value();
        }

        @Override
        public boolean writes() throws Exception {
            return FencedFile.at(page).admit(lease.grant(), Content.of("java")) instanceof Admission.Admitted;
        }
    }

    private final class CommandLine implements Client {
        private String token = "";

        @Override
        public long acquire() {
            CliRunner.Result result = cli.run("acquire", "shared", "--ttl", "10m");
            assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.BUSY);
            token = result.outLine();
            return result.code() == ExitCode.BUSY ? 0 : Long.parseLong(token);
        }

        @Override
        public boolean writes() {
            CliRunner.Result result =
                    cli.stdin("cli").run("write", page.toString(), "--name", "shared", "--token", token);
            assertThat(result.code()).as(result.err()).isIn(ExitCode.OK, ExitCode.STALE);
            return result.code() == ExitCode.OK;
        }
    }
}
