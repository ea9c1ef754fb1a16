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
    private static final List<String> MODULES =
            List.of("core", "work", "git", "jobs", "stores/jdbc", "stores/redis", "testkit", "cli", "simulator");

    private static final JavaClasses CORE = compiled("core");
    private static final JavaClasses JOBS = compiled("jobs");
    private static final JavaClasses ALL = new ClassFileImporter()
            .importPaths(MODULES.stream().map(ArchitectureTest::classesOf).toList());

    private static final ArchRule CORE_NEEDS_THE_JDK_ALONE = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "dev.leasehold.."));

    /**
     * A module, its packages, and the packages that its classes may use besides these and the JDK.
     */
    record Room(String module, List<String> own, List<String> others) {}

    static Stream<Room> rooms() {
        List<String> core = List.of(
                "dev.leasehold",
                "dev.leasehold.model",
                "dev.leasehold.spi",
                "dev.leasehold.fence",
                "dev.leasehold.store",
                "dev.leasehold.doctor",
                "dev.leasehold.internal..");
        List<String> jobs = List.of("dev.leasehold.jobs..");
        List<String> work = List.of("dev.leasehold.work");
        List<String> git = List.of("dev.leasehold.git");
        List<String> cli = List.of("dev.leasehold.cli..");
        return Stream.of(
                new Room("core", core, List.of()),
                new Room("work", work, core),
                new Room("git", git, core),
                new Room("jobs", jobs, join(core, work, List.of("com.cronutils..", "org.snakeyaml.."))),
                new Room("stores/jdbc", List.of("dev.leasehold.jdbc.."), join(core, work, List.of("org.postgresql.."))),
                new Room("stores/redis", List.of("dev.leasehold.redis"), join(core, List.of("redis.clients.."))),
                new Room(
                        "testkit",
                        List.of("dev.leasehold.testkit.."),
                        join(core, work, List.of("org.junit.jupiter.api..", "org.assertj.."))),
                new Room("cli", cli, join(core, work, git, jobs)),
                new Room("simulator", List.of("dev.leasehold.simulator.."), join(core, work, git, jobs, cli)));
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void moduleUsesOnlyItsAllowedDependencies(Room room) {
        JavaClasses classes = compiled(room.module());

        assertThat(classes).isNotEmpty();
        classes().should().resideInAnyPackage(room.own().toArray(String[]::new)).check(classes);
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                join(List.of("java..", "javax..", "org.jspecify.."), room.own(), room.others())
                                        .toArray(String[]::new))
                        .or(nameMatching("sun\\.misc\\.Signal(Handler)?")))
                .check(classes);
    }

    /** A package of the core, and our other packages that it may use. */
    record Arrow(String from, List<String> to) {
        static Arrow of(String from, String... to) {
            return new Arrow(from, List.of(to));
        }
    }

    static Stream<Arrow> arrows() {
        return Stream.of(
                Arrow.of("dev.leasehold.model"),
                Arrow.of("dev.leasehold.spi", "dev.leasehold.model"),
                Arrow.of("dev.leasehold.internal..", "dev.leasehold.model", "dev.leasehold.spi"),
                Arrow.of("dev.leasehold.fence", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                Arrow.of(
                        "dev.leasehold.doctor", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                Arrow.of("dev.leasehold.store", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                Arrow.of(
                        "dev.leasehold",
                        "dev.leasehold.model",
                        "dev.leasehold.spi",
                        "dev.leasehold.internal..",
                        "dev.leasehold.store"));
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void packageUsesOnlyItsAllowedPackages(Arrow arrow) {
        classes()
                .that()
                .resideInAPackage(arrow.from())
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(join(List.of("java..", "org.jspecify..", arrow.from()), arrow.to())
                                .toArray(String[]::new)))
                .check(CORE);
    }

    @Test
    void fencesKnowNothingOfStores() {
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
    void everyPackageOfTheCoreHasItsRule() {
        String[] known = arrows().map(Arrow::from).toArray(String[]::new);
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
        // Slices start below "dev", so that the root package is one as well.
        slices().matching("dev.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void thirdPartyDependencyIsFound() {
        JavaClasses thisTest = new ClassFileImporter().importClasses(ArchitectureTest.class);

        assertThat(CORE_NEEDS_THE_JDK_ALONE.evaluate(thisTest).hasViolation()).isTrue();
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
