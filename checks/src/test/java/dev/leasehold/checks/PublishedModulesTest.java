package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks which modules a release contains, and that their POMs have what Maven Central asks for. */
class PublishedModulesTest {
    /** Tests, measurements and the program, which is no library. */
    private static final Set<String> NOT_PUBLISHED = Set.of(
            "core-tests",
            "cli",
            "simulator",
            "examples/spring-boot",
            "spring/boot4-tests",
            "fuzz",
            "bench",
            "checks",
            "packaging");

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(leasehold-[^<]+)</artifactId>");

    @Test
    void everyModuleIsPublishedOrKnownNotToBe() throws IOException {
        List<String> others = new ArrayList<>();
        for (String module : modules()) {
            if (!pom(module).contains("<maven.deploy.skip>false</maven.deploy.skip>")) {
                others.add(module);
            }
        }
        assertThat(others).containsExactlyInAnyOrderElementsOf(NOT_PUBLISHED);
    }

    @Test
    void theBomListsThePublishedModules() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : modules()) {
            if (!NOT_PUBLISHED.contains(module) && !module.equals("bom")) {
                published.add(artifact(module));
            }
        }
        String bom = pom("bom");
        String managed = bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>"));
        assertThat(all(ARTIFACT, managed)).containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void everyPublishedPomSaysWhatItsModuleIs() throws IOException {
        for (String module : modules()) {
            assertThat(pom(module)).as(module).contains("<name>Leasehold ", "<description>");
        }
        assertThat(Files.readString(SourceTree.ROOT.resolve("pom.xml")))
                .contains("<url>https://", "<license>", "<developer>", "<scm ", "<connection>scm:git:");
    }

    private static List<String> modules() throws IOException {
        return all(MODULE, Files.readString(SourceTree.ROOT.resolve("pom.xml")));
    }

    static String artifact(String module) throws IOException {
        return all(ARTIFACT, pom(module).replaceAll("(?s)<parent>.*?</parent>", ""))
                .get(0);
    }

    private static String pom(String module) throws IOException {
        return Files.readString(SourceTree.ROOT.resolve(module).resolve("pom.xml"));
    }

    private static List<String> all(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
