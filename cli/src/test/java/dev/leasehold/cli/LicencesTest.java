package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the licence of every library that the program contains comes with the program. */
class LicencesTest {
    private static final Path LICENCES = Path.of(System.getProperty("leasehold.root"), "licenses");
    private static final Pattern LIBRARY = Pattern.compile("`([\\w-]+)`");
    private static final Pattern LINK = Pattern.compile("\\[text]\\(([^)]+)\\)");
    private static final Pattern JAR = Pattern.compile("(.+?)-\\d[\\w.-]*\\.jar");

    @Test
    void everyLibraryOfTheProgramIsInTheTable() throws IOException {
        List<String> listed = new ArrayList<>();
        for (String row : rows()) {
            Matcher name = LIBRARY.matcher(row.split("\\|", -1)[1]);
            while (name.find()) {
                listed.add(name.group(1));
            }
        }
        assertThat(listed).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(listed)).isEqualTo(shipped());
    }

    @Test
    void everyRowHasItsTextAndEveryTextItsRow() throws IOException {
        TreeSet<String> linked = new TreeSet<>();
        for (String row : rows()) {
            Matcher link = LINK.matcher(row);
            assertThat(link.find()).as(row).isTrue();
            do {
                linked.add(link.group(1));
            } while (link.find());
        }
        try (Stream<Path> files = Files.list(LICENCES)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).filter(name -> name.endsWith(".txt")))
                    .containsExactlyInAnyOrderElementsOf(linked);
        }
    }

    private static List<String> rows() throws IOException {
        return Files.readAllLines(LICENCES.resolve("README.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .toList();
    }

    /** The names of the jars that the build copies beside the program, without Leasehold's own. */
    private static SortedSet<String> shipped() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        for (String entry :
                Files.readString(Path.of("target/program-classpath")).split(File.pathSeparator, -1)) {
            Matcher jar = JAR.matcher(String.valueOf(Path.of(entry).getFileName()));
            if (jar.matches() && !jar.group(1).startsWith("leasehold-")) {
                names.add(jar.group(1));
            }
        }
        assertThat(names).contains("postgresql");
        return names;
    }
}
