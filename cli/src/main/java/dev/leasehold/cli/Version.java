package dev.leasehold.cli;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version, which the build records in the jar. */
final class Version {
    private static final String RESOURCE = "/META-INF/maven/dev.leasehold/leasehold-cli/pom.properties";

    private Version() {}

    static int print(Console console, boolean json) throws IOException {
        console.print(json ? new Json().put("version", read()).toString() : "leasehold " + read());
        return ExitCode.OK;
    }

    static String read() throws IOException {
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                return "(not built as a jar)";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "(unknown)");
        }
    }
}
