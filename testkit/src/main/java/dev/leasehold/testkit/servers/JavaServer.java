package dev.leasehold.testkit.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that is written in Java. */
public abstract class JavaServer extends LoopbackServer {
    private final String classPath;

    /** @param classPath of the server */
    JavaServer(String name, String classPath) throws IOException {
        super(name);
        this.classPath = classPath;
    }

    /** The class path of the tests of the module in which this runs. */
    public static String ownClassPath() {
        return System.getProperty("java.class.path");
    }

    /**
     * The class path of the tests of another module, which has written it down while it was built: a server may need libraries
     * that the program must not have.
     *
     * @param module for example {@code stores/aws}
     */
    public static String classPathOf(String module) throws IOException {
        Path file = Path.of(System.getProperty("leasehold.root"), module, "target", "test-classpath");
        if (!Files.exists(file)) {
            throw new IOException(file + " is missing: build the module " + module + " too (mvn -am)");
        }
        return Files.readString(file).strip();
    }

    /** The main class and its arguments. */
    abstract List<String> main() throws IOException;

    @Override
    protected final List<String> command() throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "-cp",
                classPath));
        line.addAll(main());
        return line;
    }
}
