package dev.leasehold.cli;

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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the arrows between modules and packages: what may know of what. */
class ArchitectureTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final JavaClasses CORE = compiled("core");
    private static final JavaClasses CLI = compiled("cli");
    private static final JavaClasses TESTKIT = compiled("testkit");
    private static final JavaClasses JOBS = compiled("jobs");
    private static final JavaClasses ALL = new ClassFileImporter()
            .importPaths(List.of(classesOf("core"), classesOf("cli"), classesOf("testkit"), classesOf("jobs")));

    private static final ArchRule CORE_NEEDS_THE_JDK_ALONE = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "dev.leasehold.."));

    private static final ArchRule CLI_NEEDS_CORE_AND_SIGNALS = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", "dev.leasehold..")
                    .or(nameMatching("sun\\.misc\\.Signal(Handler)?")));

    /** A package of the core and the packages of ours that it may use besides itself. */
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
                Arrow.of("dev.leasehold.guard", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                Arrow.of("dev.leasehold.doctor", "dev.leasehold.model", "dev.leasehold.spi"),
                Arrow.of(
                        "dev.leasehold.git",
                        "dev.leasehold.model",
                        "dev.leasehold.spi",
                        "dev.leasehold.internal..",
                        "dev.leasehold.guard",
                        "dev.leasehold.doctor"),
                Arrow.of("dev.leasehold.store", "dev.leasehold.model", "dev.leasehold.spi", "dev.leasehold.internal.."),
                Arrow.of(
                        "dev.leasehold",
                        "dev.leasehold.model",
                        "dev.leasehold.spi",
                        "dev.leasehold.internal..",
                        "dev.leasehold.store"),
                Arrow.of(
                        "dev.leasehold.work",
                        "dev.leasehold",
                        "dev.leasehold.model",
                        "dev.leasehold.spi",
                        "dev.leasehold.internal.."));
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void packagesPointOneWay(Arrow arrow) {
        String[] allowed = Stream.concat(Stream.of("java..", "org.jspecify..", arrow.from()), arrow.to().stream())
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(arrow.from())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed))
                .check(CORE);
    }

    @Test
    void fencesKnowNothingOfStores() {
        noClasses()
                .that()
                .resideInAPackage("dev.leasehold.guard")
                .and()
                .doNotHaveSimpleName("BestEffortGate")
                .and()
                .doNotHaveSimpleName("SideEffect")
                .should()
                .dependOnClassesThat()
                .haveSimpleName("LeaseStore")
                .check(CORE);
    }

    @Test
    void everyPackageOfTheCoreHasItsArrows() {
        String[] known = arrows().map(Arrow::from).toArray(String[]::new);
        classes().should().resideInAnyPackage(known).check(CORE);
    }

    @Test
    void theCoreNeedsTheJdkAlone() {
        CORE_NEEDS_THE_JDK_ALONE.check(CORE);
    }

    @Test
    void theCommandLineNeedsTheCoreAndSignals() {
        CLI_NEEDS_CORE_AND_SIGNALS.check(CLI);
    }

    @Test
    void jobsNeedTheCoreAndTheirTwoLibrariesInOnePlaceEach() {
        String[] ours = {"java..", "org.jspecify..", "dev.leasehold..", "com.cronutils..", "org.snakeyaml.."};
        classes().should().onlyDependOnClassesThat(resideInAnyPackage(ours)).check(JOBS);
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
    void nobodyKnowsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.leasehold.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.cli..")
                .check(ALL);
    }

    @Test
    void theProgramUsesTheTestKitOnlyToSimulate() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.leasehold.testkit..")
                .and()
                .doNotHaveFullyQualifiedName("dev.leasehold.cli.SimulateCommand")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.leasehold.testkit..")
                .check(ALL);
    }

    @Test
    void noCyclesBetweenPackages() {
        // From "dev" down, so that the root package is a slice as well.
        slices().matching("dev.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void aThirdPartyDependencyIsSeen() {
        JavaClasses thisTest = new ClassFileImporter().importClasses(ArchitectureTest.class);

        assertThat(CORE_NEEDS_THE_JDK_ALONE.evaluate(thisTest).hasViolation()).isTrue();
        assertThat(CLI_NEEDS_CORE_AND_SIGNALS.evaluate(thisTest).hasViolation()).isTrue();
    }

    @Test
    void everyModuleWasRead() {
        assertThat(CORE).hasSizeGreaterThan(10);
        assertThat(CLI).isNotEmpty();
        assertThat(TESTKIT).isNotEmpty();
        assertThat(JOBS).isNotEmpty();
    }

    private static JavaClasses compiled(String module) {
        return new ClassFileImporter().importPath(classesOf(module));
    }

    private static Path classesOf(String module) {
        return ROOT.resolve(module).resolve("target/classes");
    }
}
