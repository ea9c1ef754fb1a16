package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.jobs.DueSlots;
import dev.leasehold.jobs.Job;
import dev.leasehold.metrics.LeaseMetrics;
import dev.leasehold.metrics.MeteredStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requirements;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and the dashboard, held against what a server and a program that uses the library really show. */
class MetricsFilesTest {
    private static final Path FILES = Path.of("../docs/metrics");
    private static final Path RULES = FILES.resolve("leasehold-alerts.yml");
    private static final Path RULE_TESTS = FILES.resolve("leasehold-alerts-test.yml");
    private static final Path DASHBOARD = FILES.resolve("grafana-dashboard.json");
    private static final Path PAGE = Path.of("../docs/metrics.md");

    private static final ExposedMetrics EXPOSED = new ExposedMetrics();
    private static final List<String> SCRAPES = new ArrayList<>();

    /** A rule: its name, and its expression. */
    private record Rule(String name, String expression, boolean alert) {}

    @BeforeAll
    static void showEverything(@TempDir Path directory) throws Exception {
        String url = "file:" + directory.resolve("store");
        try (LeaseStore store = Stores.create(url);
                LeaseholdServer server = LeaseholdServer.over(store)
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .metricsByJob()
                        .start()) {
            SCRAPES.add(library(url));
            ApiClient api = new ApiClient(server.uri(), OpenApiDocument.served());
            api.post("/v1/leases/acquire", "{'name':'a','ttlMs':60000}");
            api.post("/v1/leases/acquire", "{'name':'a','ttlMs':60000}");
            api.post("/v1/leases/renew", "{'grants':[{'name':'a','token':1,'ttlMs':60000}]}");
            api.post("/v1/fences/raise", "{'name':'a','token':1,'resource':'r'}");
            api.post("/v1/leases/takeover", "{'name':'a','reason':'it hangs','ttlMs':60000}");
            api.post("/v1/fences/raise", "{'name':'a','token':2,'resource':'r'}");
            api.post("/v1/fences/admit", "{'name':'a','token':1,'resource':'r'}");
            String text = api.get("/metrics").response().body();
            for (int i = 0; i < 300 && !text.contains("leasehold_jobs_overdue_seconds{"); i++) {
                // The first reading of a slow machine may take longer than a scrape waits.
                TimeUnit.MILLISECONDS.sleep(100);
                text = api.get("/metrics").response().body();
            }
            SCRAPES.add(text);
        }
        SCRAPES.forEach(EXPOSED::add);
        rules().stream().filter(rule -> !rule.alert).forEach(rule -> EXPOSED.record(rule.name));
    }

    /** What a program that uses the library shows, after it held a lease and ran a job. */
    private static String library(String url) throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LeaseMetrics metrics = LeaseMetrics.on(registry);
        try (Leases leases = Leases.over(MeteredStore.timed(Stores.open(url), registry))
                .listener(metrics)
                .build()) {
            try (Lease held = leases.tryAcquire("b").lease().orElseThrow()) {
                leases.tryAcquire("b");
                held.reportStale("the target has seen a newer token");
            }
            DueSlots.run(
                    leases,
                    Job.named("nightly").cron("0 0 1 1 *").run(run -> {}).build(),
                    metrics);
        }
        return registry.scrape();
    }

    private static List<Rule> rules() throws Exception {
        List<Rule> rules = new ArrayList<>();
        for (Object group : (List<?>) yaml(RULES).get("groups")) {
            for (Object entry : (List<?>) ((Map<?, ?>) group).get("rules")) {
                Map<?, ?> rule = (Map<?, ?>) entry;
                boolean alert = rule.containsKey("alert");
                rules.add(new Rule(
                        String.valueOf(rule.get(alert ? "alert" : "record")), String.valueOf(rule.get("expr")), alert));
            }
        }
        return rules;
    }

    private static Map<?, ?> yaml(Path file) throws Exception {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    @Test
    void everyRuleAsksForWhatExists() throws Exception {
        assertThat(rules()).hasSizeGreaterThan(10);
        for (Rule rule : rules()) {
            assertThat(EXPOSED.unknownIn(rule.expression)).as(rule.name).isEmpty();
        }
    }

    @Test
    void everyPanelOfTheDashboardAsksForWhatExists() throws Exception {
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(DASHBOARD));
        int expressions = 0;
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                assertThat(EXPOSED.unknownIn(target.path("expr").asString("")))
                        .as(panel.path("title").asString(""))
                        .isEmpty();
                expressions++;
            }
        }
        assertThat(expressions).isGreaterThan(20);
        for (JsonNode variable : dashboard.path("templating").path("list")) {
            assertThat(EXPOSED.unknownIn(variable.path("definition").asString("")))
                    .isEmpty();
        }
    }

    @Test
    void aTypoIsFound() {
        assertThat(EXPOSED.unknownIn(
                        "sum by (job, kind) (increase(leasehold_losses_total{kind!~\"lapsed|released\"}[1h]))"))
                .isEmpty();
        assertThat(EXPOSED.unknownIn("leasehold_loses_total")).isNotEmpty();
        assertThat(EXPOSED.unknownIn("leasehold_losses_total{kind=\"lapse\"}")).isNotEmpty();
        assertThat(EXPOSED.unknownIn("leasehold_losses_total{kind!~\"lapsed|release\"}"))
                .isNotEmpty();
        assertThat(EXPOSED.unknownIn("leasehold_losses_total{knd=\"lapsed\"}")).isNotEmpty();
        assertThat(EXPOSED.unknownIn("sum by (reason) (leasehold_losses_total)"))
                .isNotEmpty();
        assertThat(EXPOSED.unknownIn("leasehold:losses:share1h")).isNotEmpty();
    }

    @Test
    void noAlertIsAboutSkips() throws Exception {
        for (Rule rule : rules()) {
            if (rule.alert) {
                assertThat(rule.expression)
                        .doesNotContain("skipped", "leasehold_busy", "outcome!=\"ran\"", "_outcomes_total[");
            }
        }
    }

    /** The page has a line for every metric, and none for one that does not exist. */
    @Test
    void everyMetricIsExplained() throws Exception {
        Set<String> explained = new TreeSet<>();
        Matcher line = Pattern.compile("(?m)^\\| `(leasehold_\\w+)").matcher(Files.readString(PAGE));
        while (line.find()) {
            explained.add(line.group(1));
        }
        assertThat(explained).isEqualTo(EXPOSED.families());
    }

    @Test
    void everyAlertIsExplained() throws Exception {
        String page = Files.readString(PAGE);
        for (Rule rule : rules()) {
            assertThat(page).contains("`" + rule.name + "`");
        }
    }

    @Test
    void everyAlertIsShownToFireAndToStaySilent() throws Exception {
        Map<String, Set<Boolean>> shown = new TreeMap<>();
        for (Object test : (List<?>) yaml(RULE_TESTS).get("tests")) {
            Object cases = ((Map<?, ?>) test).get("alert_rule_test");
            for (Object each : cases == null ? List.of() : (List<?>) cases) {
                Map<?, ?> expected = (Map<?, ?>) each;
                shown.computeIfAbsent(String.valueOf(expected.get("alertname")), name -> new TreeSet<>())
                        .add(((List<?>) expected.get("exp_alerts")).isEmpty());
            }
        }
        for (Rule rule : rules()) {
            if (rule.alert) {
                assertThat(shown.get(rule.name)).as(rule.name).containsExactly(false, true);
            }
        }
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests(TestInfo test) throws Exception {
        Requirements.require(
                test,
                promtool("--version").equals("0"),
                "promtool, which scripts/promtool gets where there is apt-get");
        assertThat(promtool("check", "rules", RULES.getFileName().toString())).isEqualTo("0");
        assertThat(promtool("test", "rules", RULE_TESTS.getFileName().toString()))
                .isEqualTo("0");
    }

    @Test
    void promtoolFindsTheMetricsWellFormed(TestInfo test, @TempDir Path directory) throws Exception {
        requirePromtool(test);
        for (String scrape : SCRAPES) {
            // Other people's metrics are not named as promtool would have it.
            Path file = Files.writeString(
                    directory.resolve("scrape"), scrape.replaceAll("(?m)^(# (HELP|TYPE) )?jvm_.*\n", ""));
            assertThat(promtool(ProcessBuilder.Redirect.from(file.toFile()), "check", "metrics"))
                    .isEqualTo("0");
        }
    }

    private static void requirePromtool(TestInfo test) throws Exception {
        Requirements.require(
                test,
                promtool("--version").equals("0"),
                "promtool, which scripts/promtool gets where there is apt-get");
    }

    /** Names that exist do not make an expression correct. */
    @Test
    void promtoolAcceptsTheExpressionsOfTheDashboard(TestInfo test, @TempDir Path directory) throws Exception {
        Requirements.require(
                test,
                promtool("--version").equals("0"),
                "promtool, which scripts/promtool gets where there is apt-get");
        StringBuilder rules = new StringBuilder("groups: [{name: dashboard, rules: [\n");
        for (JsonNode target : JsonMapper.shared()
                .readTree(Files.readString(DASHBOARD))
                .path("panels")
                .findValues("expr")) {
            rules.append("{record: x, expr: '")
                    .append(target.asString("")
                            .replace("$__rate_interval", "5m")
                            .replace("'", "''"))
                    .append("'},\n");
        }
        Path file = Files.writeString(directory.resolve("rules.yml"), rules + "]}]\n");
        assertThat(promtool("check", "rules", "--lint=none", file.toString())).isEqualTo("0");
    }

    /** "0", or what it says if it fails. */
    private static String promtool(String... arguments) throws Exception {
        return promtool(ProcessBuilder.Redirect.PIPE, arguments);
    }

    private static String promtool(ProcessBuilder.Redirect input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("../../scripts/promtool"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(FILES.toFile())
                .redirectInput(input)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "0" : output;
    }
}
