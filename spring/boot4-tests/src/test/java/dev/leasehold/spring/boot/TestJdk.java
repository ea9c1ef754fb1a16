package dev.leasehold.spring.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A JDK of this machine. */
record TestJdk(Path home, int version) {
    private static final Path CURRENT = Path.of(System.getProperty("java.home"));

    static TestJdk current() {
        return new TestJdk(CURRENT, Runtime.version().feature());
    }

    /** The newest of those that are installed beside the one that runs the tests, or that one. */
    static TestJdk newest() throws IOException {
        Path folder = CURRENT.toRealPath().getParent();
        if (folder == null) {
            return current();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(TestJdk::at)
                    .filter(jdk -> jdk.version > current().version && Files.isExecutable(Path.of(jdk.java())))
                    .max(Comparator.comparingInt(TestJdk::version))
                    .orElse(current());
        }
    }

    /** Every JDK has a file that names its version. */
    private static TestJdk at(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("^JAVA_VERSION=\"(\\d+).*$", "$1"))
                    .map(number -> new TestJdk(home, Integer.parseInt(number)))
                    .findFirst()
                    .orElse(new TestJdk(home, 0));
        } catch (IOException | RuntimeException e) {
            return new TestJdk(home, 0);
        }
    }

    String java() {
        return home.resolve("bin").resolve("java").toString();
    }

    boolean hasVirtualThreads() {
        return version >= 21;
    }
}
