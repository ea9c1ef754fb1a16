package dev.leasehold.checks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks which modules and packages may use which others. */
class ArchitectureTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final List<String> MODULES = Stream.concat(
                    ApiPage.MODULES.stream(), Stream.of("agents", "cli", "simulator"))
            .toList();

    private static final List<String> CORE_PACKAGES = List.of(
            "dev.leasehold",
            "dev.leasehold.model",
            "dev.leasehold.spi",
            "dev.leasehold.fence",
            "dev.leasehold.http",
            "dev.leasehold.store",
            "dev.leasehold.doctor",
            "dev.leasehold.internal..");

    private static final JavaClasses CORE = compiled("core");
    private static final JavaClasses JOBS = compiled("jobs");
    private static final JavaClasses ALL = new ClassFileImporter()
            .importPaths(MODULES.stream().map(ArchitectureTest::classesOf).toList());

    private static final ArchRule CORE_NEEDS_ONLY_THE_JDK = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "javax.net..", "org.jspecify..", "dev.leasehold.."));

    private static final List<String> SERVER_LIBRARIES =
            List.of("tools.jackson..", "org.eclipse.jetty..", "io.micrometer..");

    private static final List<String> SPRING_LIBRARIES =
            List.of("org.springframework..", "org.aopalliance..", "io.micrometer..");

    /**
     * A module, its packages, and the packages that its classes may use besides these and the JDK.
     */
    record ModuleRule(String module, List<String> own, List<String> others) {}

    static Stream<ModuleRule> moduleRules() {
        List<String> core = CORE_PACKAGES;
        List<String> jobs = List.of("dev.leasehold.jobs..");
        List<String> events = List.of("dev.leasehold.events", "dev.leasehold.metrics");
        List<String> work = List.of("dev.leasehold.work");
        List<String> git = List.of("dev.leasehold.git");
        List<String> agents = List.of("dev.leasehold.agents");
        List<String> client = List.of("dev.leasehold.client..");
        List<String> server = List.of("dev.leasehold.server");
        List<String> mcp = List.of("dev.leasehold.mcp");
        List<String> cli = List.of("dev.leasehold.cli..");
        return Stream.of(
                new ModuleRule("core", core, List.of()),
                new ModuleRule("work", work, core),
                new ModuleRule("git", git, core),
                new ModuleRule("agents", agents, core),
                new ModuleRule("jobs", jobs, join(core, work, List.of("com.cronutils..", "org.snakeyaml.."))),
                new ModuleRule("events", events, join(core, jobs)),
                new ModuleRule("metrics", events, join(core, jobs, List.of("io.micrometer.core.."))),
                new ModuleRule(
                        "client", client, join(core, List.of("tools.jackson..", "com.fasterxml.jackson.annotation"))),
                new ModuleRule("mcp", mcp, join(core, work, events)),
                new ModuleRule("server", server, join(core, work, agents, jobs, events, client, mcp, SERVER_LIBRARIES)),
                new ModuleRule("servlet", List.of("dev.leasehold.servlet"), join(core, List.of("jakarta.servlet.."))),
                new ModuleRule(
                        "testkit",
                        List.of("dev.leasehold.testkit.."),
                        join(core, work, List.of("org.junit.jupiter.api..", "org.assertj.."))),
                new ModuleRule("cli", cli, join(core, work, git, agents, jobs, events, mcp, server)),
                new ModuleRule(
                        "simulator", List.of("dev.leasehold.simulator.."), join(core, work, git, jobs, events, cli)));
    }

    static Stream<ModuleRule> storeRules() {
        return Stream.of(
                new ModuleRule(
                        "stores/jdbc",
                        List.of("dev.leasehold.jdbc.."),
                        join(CORE_PACKAGES, List.of("dev.leasehold.work"), List.of("org.postgresql.."))),
                new ModuleRule("stores/etcd", List.of("dev.leasehold.etcd"), CORE_PACKAGES),
                new ModuleRule("stores/aws", List.of("dev.leasehold.aws"), CORE_PACKAGES),
                new ModuleRule("stores/durable-objects", List.of("dev.leasehold.durableobjects"), CORE_PACKAGES),
                new ModuleRule("stores/firestore", List.of("dev.leasehold.firestore"), CORE_PACKAGES),
                new ModuleRule(
                        "stores/zookeeper",
                        List.of("dev.leasehold.zookeeper"),
                        join(CORE_PACKAGES, List.of("org.apache.zookeeper.."))),
                new ModuleRule(
                        "stores/nats", List.of("dev.leasehold.nats"), join(CORE_PACKAGES, List.of("io.nats.client.."))),
                new ModuleRule(
                        "stores/redis",
                        List.of("dev.leasehold.redis"),
                        join(CORE_PACKAGES, List.of("redis.clients.."))));
    }

    static Stream<ModuleRule> springRules() {
        List<String> work = List.of("dev.leasehold.work");
        List<String> events = List.of("dev.leasehold.events", "dev.leasehold.metrics");
        List<String> jdbc = List.of("dev.leasehold.jdbc");
        List<String> springTx = List.of("dev.leasehold.spring.tx");
        return Stream.of(
                new ModuleRule("spring/tx", springTx, join(CORE_PACKAGES, jdbc, List.of("org.springframework.."))),
                new ModuleRule(
                        "spring/boot-starter",
                        List.of("dev.leasehold.spring", "dev.leasehold.spring.boot"),
                        join(
                                CORE_PACKAGES,
                                work,
                                jdbc,
                                List.of("dev.leasehold.redis"),
                                events,
                                springTx,
                                SPRING_LIBRARIES)),
                new ModuleRule(
                        "spring/test",
                        List.of("dev.leasehold.spring.test"),
                        join(
                                CORE_PACKAGES,
                                springTx,
                                List.of("dev.leasehold.spring", "dev.leasehold.testkit.."),
                                List.of("org.springframework..", "org.junit.jupiter.api.."))),
                new ModuleRule(
                        "spring/shedlock",
                        List.of("dev.leasehold.shedlock"),
                        join(
                                CORE_PACKAGES,
                                List.of("net.javacrumbs.shedlock..", "org.slf4j..", "dev.leasehold.spring.tx"))));
    }

    @ParameterizedTest
    @MethodSource({"moduleRules", "storeRules", "springRules"})
    void moduleUsesOnlyItsAllowedDependencies(ModuleRule rule) {
        JavaClasses classes = compiled(rule.module());

        assertThat(classes).isNotEmpty();
        classes().should().resideInAnyPackage(rule.own().toArray(String[]::new)).check(classes);
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                join(List.of("java..", "javax..", "org.jspecify.."), rule.own(), rule.others())
                                        .toArray(String[]::new))
                        .or(nameMatching("sun\\.misc\\.Signal(Handler)?")))
                .check(classes);
    }

    /** A package of the core, and our other packages that it may use. */
    record PackageRule(String from, List<String> to) {
        static PackageRule of(String from, String... to) {
            return new PackageRule(from, List.of(to));
        }
    }

    static Stream<PackageRule> packageRules() {
        return Stream.of(
                PackageRule.of("dev.leasehold.model"),
                PackageRule.of("dev.leasehold.spi", "dev.leasehold.model"),
                PackageRule.of("dev.leasehold.internal..", "dev.leasehold.model", "dev.leasehold.spi", "javax.net.ssl"),
                PackageRule.of(
                        "dev.leasehold.fence", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                PackageRule.of(
                        "dev.leasehold.doctor", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                PackageRule.of(
                        "dev.leasehold.store", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                PackageRule.of("dev.leasehold.http", "dev.leasehold", "dev.leasehold.model"),
                PackageRule.of(
                        "dev.leasehold",
                        "dev.leasehold.model",
                        "dev.leasehold.spi",
                        "dev.leasehold.internal..",
                        "dev.leasehold.store"));
    }

    @ParameterizedTest
    @MethodSource("packageRules")
    void packageUsesOnlyItsAllowedPackages(PackageRule rule) {
        classes()
                .that()
                .resideInAPackage(rule.from())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        join(List.of("java..", "javax.net..", "org.jspecify..", rule.from()), rule.to())
                                .toArray(String[]::new)))
                .check(CORE);
    }

    @Test
    void fencesDoNotUseStores() {
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.fence")
                .and()
                .doNotHaveSimpleName("BestEffortGate")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("LeaseStore")
                .check(CORE);
    }

    @Test
    void everyPackageOfTheCoreHasARule() {
        String[] known = packageRules().map(PackageRule::from).toArray(String[]::new);
        classes().should().resideInAnyPackage(known).check(CORE);
    }

    @Test
    void jobsUseEachOfTheirTwoLibrariesInOnePlace() {
        noClasses()
                .that()
                .doNotHaveSimpleName("Cron")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.cronutils..")
                .check(JOBS);
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.leasehold.jobs.file")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.snakeyaml..")
                .check(JOBS);
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.jobs")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.jobs.file")
                .check(JOBS);
    }

    @Test
    void noCyclesBetweenPackages() {
        // Slices start below "dev", so that dev.leasehold itself is a slice too.
        slices().matching("dev.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void thirdPartyDependencyIsFound() {
        JavaClasses thisTest = new ClassFileImporter().importClasses(ArchitectureTest.class);

        assertThat(CORE_NEEDS_ONLY_THE_JDK.evaluate(thisTest).hasViolation()).isTrue();
    }

    @SafeVarargs
    private static List<String> join(List<String>... lists) {
        List<String> all = new ArrayList<>();
        for (List<String> list : lists) {
            all.addAll(list);
        }
        return all;
    }

    private static JavaClasses compiled(String module) {
        return new ClassFileImporter().importPath(classesOf(module));
    }

    private static Path classesOf(String module) {
        return ROOT.resolve(module).resolve("target/classes");
    }
}
