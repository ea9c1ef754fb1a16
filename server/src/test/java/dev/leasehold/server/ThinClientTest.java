package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.http.GrantHeader;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the clients in other languages have in common: a process that a test drives, against two servers. */
abstract class ThinClientTest {
    static final Path CLIENTS = Path.of("../clients").toAbsolutePath().normalize();
    private static final LeaseName JOB = LeaseName.of("job");

    @TempDir
    Path directory;

    private LeaseStore store;
    private LeaseholdServer first;
    private LeaseholdServer second;
    private Process driver;
    private BufferedReader answers;

    /** The command that starts the driver of this client. */
    abstract List<String> driver() throws Exception;

    @BeforeEach
    void startServersAndDriver() throws Exception {
        store = Stores.create("file:" + directory.resolve("store"));
        first = SharedServer.start(store);
        second = SharedServer.start(store);
        List<String> command = new ArrayList<>(driver());
        command.add(first.uri() + "," + second.uri());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve("errors").toFile());
        // Not for this host: nothing listens there.
        builder.environment().put("http_proxy", "http://127.0.0.1:1");
        driver = builder.start();
        answers = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterEach
    void stopAll() throws Exception {
        driver.destroyForcibly().waitFor();
        first.close();
        second.close();
        store.close();
    }

    private JsonNode answer(Object... call) throws Exception {
        OutputStream out = driver.getOutputStream();
        out.write(JsonMapper.shared().writeValueAsBytes(call));
        out.write('\n');
        out.flush();
        String line = answers.readLine();
        assertThat(line).as("%s", Files.readString(directory.resolve("errors"))).isNotNull();
        return JsonMapper.shared().readTree(line);
    }

    private JsonNode call(Object... call) throws Exception {
        JsonNode answer = answer(call);
        assertThat(answer.has("error")).as("%s", answer).isFalse();
        return answer.path("value");
    }

    private String error(Object... call) throws Exception {
        return answer(call).path("error").asString();
    }

    private void takeOver() {
        store.intervene(Intervention.takeover(
                JOB,
                AttemptId.of(UUID.randomUUID().toString()),
                Holder.of("operator"),
                Duration.ofMinutes(1),
                Note.of("it hangs")));
    }

    @Test
    void aLeaseIsHeldRenewedAndGivenBack() throws Exception {
        assertThat(call("acquire", "job", 1500, 0).asLong()).isEqualTo(1);
        assertThat(error("acquire", "job", 1500, 0)).isEqualTo("Busy");
        TimeUnit.SECONDS.sleep(4);
        call("check", 1);
        assertThat(call("lost", 1).isNull()).isTrue();
        call("progress", 1, "half", "row 7");
        assertThat(String.valueOf(store.inspect(JOB).orElseThrow().lease().progress()))
                .contains("half", "row 7");
        call("release", 1);
        call("release", 1);
        assertThat(call("acquire", "job", 60_000, 0).asLong()).isEqualTo(2);
    }

    @Test
    void theHeaderForAServiceHasTheWholeGrant() throws Exception {
        call("acquire", "job", 1500, 0);
        Grant shown = GrantHeader.parse(call("headers", 1).get(GrantHeader.NAME).asString());

        assertThat(store.inspect(JOB).orElseThrow().lease().owner().attempt()).isEqualTo(shown.attempt());
        assertThat(shown.store()).isEqualTo(store.id());
        assertThat(shown.name()).isEqualTo(JOB);
        assertThat(shown.token().value()).isEqualTo(1);
        takeOver();
        TimeUnit.SECONDS.sleep(3);
        assertThat(error("headers", 1)).isEqualTo("Stale");
    }

    @Test
    void aLeaseThatWasTakenIsReportedAndEveryWriteIsRefused() throws Exception {
        call("acquire", "job", 1500, 0);
        call("raise", 1, "page");
        call("admit", 1, "page");
        assertThat(call("admit-once", 1, "mail", "a").asBoolean()).isTrue();
        assertThat(call("admit-once", 1, "mail", "a").asBoolean()).isFalse();
        call("claim", 1, "2026-11-16");
        takeOver();
        second.close();
        for (int i = 0; i < 100 && call("losses").isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(call("losses")).hasSize(1);
        assertThat(error("check", 1)).isEqualTo("Stale");
        assertThat(error("progress", 1, "more")).isEqualTo("Stale");
        assertThat(error("claim", 1, "2026-11-17")).isEqualTo("Stale");
        assertThat(error("complete", 1, "2026-11-16", "result")).isEqualTo("Stale");
        assertThat(error("once", 1, "mail-0001")).isEqualTo("Stale");
        call("release", 1);
        assertThat(store.inspect(JOB).orElseThrow().isFree()).isFalse();
    }

    @Test
    void aKeyIsNotSentToAnotherHostWithoutTls() throws Exception {
        List<String> command = new ArrayList<>(driver());
        command.add("http://192.0.2.1:7420");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LEASEHOLD_ACCESS_KEY", "lhk_aaaaaaaaaa_secret");
        Process refused = builder.start();
        refused.getOutputStream().close();
        assertThat(new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("without TLS everybody on the way can read the key")
                .doesNotContain("secret");
        assertThat(refused.waitFor()).isNotZero();
    }

    @Test
    void aServerThatIsStoppedCostsNothing() throws Exception {
        call("acquire", "job", 3000, 0);
        first.close();
        TimeUnit.SECONDS.sleep(5);
        call("check", 1);
        call("release", 1);
        assertThat(store.history(JOB, 9)).hasSize(1);
    }

    @Test
    void aProcessThatCannotRenewLosesItsLease() throws Exception {
        call("acquire", "job", 1000, 0);
        first.close();
        second.close();
        TimeUnit.MILLISECONDS.sleep(1500);
        assertThat(error("check", 1)).isEqualTo("Stale");
        assertThat(call("losses")).hasSize(1);
    }

    @Test
    void aWaitingClientIsServed() throws Exception {
        call("acquire", "job", 60_000, 0);
        takeOver();
        store.intervene(Intervention.cancel(
                JOB, AttemptId.of(UUID.randomUUID().toString()), Holder.of("operator"), Note.of("enough")));
        assertThat(call("acquire", "job", 1000, 60_000).asLong()).isEqualTo(4);
        assertThat(call("lost", 4).isNull()).isTrue();
    }

    @Test
    void workIsDoneOnceAndCallsAreMadeOnce() throws Exception {
        call("acquire", "job", 60_000, 0);
        assertThat(call("claim", 1, "a").path("outcome").asString()).isEqualTo("claimed");
        call("checkpoint", 1, "a", "row 7");
        call("complete", 1, "a", "42 rows");
        assertThat(call("claim", 1, "a").at("/item/result").asString()).isEqualTo("42 rows");
        assertThat(call("claim", 1, "b").path("outcome").asString()).isEqualTo("claimed");
        call("fail", 1, "b", "no paper");

        assertThat(call("once", 1, "mail-0001").asString()).isEqualTo("made mail-0001");
        assertThat(call("once", 1, "mail-0001").asString()).isEqualTo("made mail-0001");
        assertThat(answer("fail-once", 1, "mail-0002").has("error")).isTrue();
        assertThat(error("once", 1, "mail-0002")).isEqualTo("OutcomeUnknown");
        call("settle", 1, "mail-0002", false, "it was not sent");
        assertThat(call("once", 1, "mail-0002").asString()).isEqualTo("made mail-0002");
    }
}
