package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every line of curl in docs/http.md does what the page says. */
@Requires("curl")
class HttpPageTest {
    private static final Path PAGE = Path.of("../docs/http.md");

    /** Fields whose values differ from run to run. */
    private static final Set<String> VARIABLE = Set.of("store", "expiresInMs", "at", "deadline", "seen", "since");

    @TempDir
    Path directory;

    @Test
    void everyLineIsAnsweredAsShown() throws Exception {
        List<String> lines = Files.readAllLines(PAGE);
        int calls = 0;
        try (LeaseStore store = Stores.create("file:" + directory.resolve("store"));
                LeaseholdServer server = SharedServer.start(store)) {
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).startsWith("curl ")) {
                    JsonNode answer = run(lines.get(i), server);
                    JsonNode shown =
                            JsonMapper.shared().readTree(lines.get(i + 1).substring(2));
                    assertSame(lines.get(i), "", shown, answer);
                    calls++;
                }
            }
        }
        assertThat(calls).isGreaterThan(10);
    }

    private static JsonNode run(String line, LeaseholdServer server) throws Exception {
        String command = line.replace(
                "localhost:" + LeaseholdServer.DEFAULT_PORT, server.uri().getAuthority());
        Process process = new ProcessBuilder("sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(line + output).isZero();
        return JsonMapper.shared().readTree(output);
    }

    private static void assertSame(String line, String field, JsonNode shown, JsonNode answer) {
        if (shown.isObject()) {
            assertThat(names(answer)).as(line).isEqualTo(names(shown));
            shown.properties()
                    .forEach(entry -> assertSame(line, entry.getKey(), entry.getValue(), answer.path(entry.getKey())));
        } else if (shown.isArray()) {
            assertThat(answer).as(line).hasSameSizeAs(shown);
            for (int i = 0; i < shown.size(); i++) {
                assertSame(line, field, shown.path(i), answer.path(i));
            }
        } else if (!VARIABLE.contains(field)) {
            assertThat(answer).as(line + " " + field).isEqualTo(shown);
        }
    }

    private static Set<String> names(JsonNode node) {
        return new TreeSet<>(node.propertyNames());
    }

    /** The types that the page lists are those that exist. */
    @Test
    void everyTypeOfProblemIsListed() throws Exception {
        String page = Files.readString(PAGE);
        for (ProblemType type : ProblemType.values()) {
            assertThat(page).contains("`" + type.uri().replace("urn:leasehold:problem:", "") + "`");
        }
    }
}
