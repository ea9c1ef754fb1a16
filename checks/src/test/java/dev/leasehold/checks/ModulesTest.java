package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that a user on the module path can reach everything that is documented, and nothing
 * internal.
 */
class ModulesTest {
    /** ZooKeeper's jars share packages, which the module path does not permit. */
    private static final String WITHOUT_DESCRIPTOR = "stores/zookeeper";

    static Stream<String> published() {
        return ApiPage.MODULES.stream().filter(module -> !module.equals(WITHOUT_DESCRIPTOR));
    }

    @ParameterizedTest
    @MethodSource("published")
    void internalPackagesAreExportedToNamedModulesOnly(String module) {
        ModuleDescriptor descriptor =
                ModuleFinder.of(classes(module)).findAll().iterator().next().descriptor();

        assertThat(descriptor.isAutomatic()).isFalse();
        assertThat(descriptor.exports()).isNotEmpty();
        assertThat(descriptor.exports())
                .filteredOn(exported -> exported.source().contains("internal"))
                .allMatch(ModuleDescriptor.Exports::isQualified);
    }

    /** The signature of a public method must not contain a type that users cannot name. */
    @Test
    void noInternalTypeIsPartOfThePublicApi() throws IOException {
        List<String> leaks = new ArrayList<>();
        for (String module : ApiPage.MODULES) {
            List<String> exported =
                    ApiPage.exported(SourceTree.ROOT.resolve(module).resolve("src/main/java"));
            for (JavaClass type : new ClassFileImporter().importPath(classes(module))) {
                if (exported.contains(type.getPackageName()) && visible(type)) {
                    leaks.addAll(leaksOf(type));
                }
            }
        }
        assertThat(leaks).isEmpty();
    }

    private static List<String> leaksOf(JavaClass type) {
        List<String> leaks = new ArrayList<>();
        for (JavaCodeUnit unit : type.getCodeUnits()) {
            if (unit.getModifiers().contains(JavaModifier.PUBLIC)) {
                Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                        .filter(used -> used.getPackageName().startsWith("dev.leasehold"))
                        .filter(used -> used.getPackageName().contains("internal") || !visible(used))
                        .forEach(used -> leaks.add(unit.getFullName() + " needs " + used.getName()));
            }
        }
        return leaks;
    }

    private static boolean visible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ModulesTest::visible).orElse(true);
    }

    /** A custom store and the engine, in a named module that sees only exported packages. */
    @Test
    void customStoreNeedsNoInternalType(@TempDir Path folder) throws Exception {
        String path = Stream.of("core", "work")
                .map(m -> classes(m).toString())
                .collect(Collectors.joining(File.pathSeparator));
        source(folder, "module-info.java", "module user { requires dev.leasehold; requires dev.leasehold.work; }");
        source(
                folder,
                "user/Main.java",
                """
                package user;

                import dev.leasehold.LeaseCounters;
                import dev.leasehold.Leases;
                import dev.leasehold.store.CasLeaseStore;
                import dev.leasehold.store.MemoryRegister;
                import java.time.Clock;

                public final class Main {
                    public static void main(String[] args) throws Exception {
                        LeaseCounters counters = new LeaseCounters();
                        CasLeaseStore store = CasLeaseStore.over(new MemoryRegister(Clock.systemUTC()));
                        try (Leases leases = Leases.over(store).listener(counters).build()) {
                            System.out.println(leases.run("job", lease -> "token " + lease.grant().token()));
                        }
                        System.out.println(counters.counts());
                    }
                }
                """);
        Path out = folder.resolve("out");
        run(
                "javac",
                "-d",
                out.toString(),
                "--module-path",
                path,
                folder.resolve("module-info.java").toString(),
                folder.resolve("user/Main.java").toString());

        assertThat(run("java", "--module-path", path + File.pathSeparator + out, "--module", "user/user.Main"))
                .contains("token 1", "acquired=1");
    }

    private static void source(Path folder, String name, String text) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), text);
    }

    private static String run(String tool, String... arguments) throws Exception {
        List<String> line = Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home"), "bin", tool)
                                .toString()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    private static Path classes(String module) {
        return SourceTree.ROOT.resolve(module).resolve("target/classes");
    }
}
