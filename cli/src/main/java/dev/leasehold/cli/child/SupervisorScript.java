package dev.leasehold.cli.child;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Reads {@code supervisor.sh}, a resource beside this class. */
final class SupervisorScript {
    private static final String NAME = "supervisor.sh";

    /**
     * Where the launcher has copied the script, which is faster to read than an entry of the jar.
     */
    private static final String UNPACKED = "leasehold.supervisor.script";

    private SupervisorScript() {}

    static String text() throws IOException {
        String unpacked = System.getProperty(UNPACKED);
        if (unpacked != null) {
            return new String(Files.readAllBytes(Path.of(unpacked)), StandardCharsets.UTF_8);
        }
        byte[] fromJar = readFromJar(
                SupervisorScript.class.getProtectionDomain().getCodeSource().getLocation());
        if (fromJar != null) {
            return new String(fromJar, StandardCharsets.UTF_8);
        }
        try (InputStream script = SupervisorScript.class.getResourceAsStream(NAME)) {
            if (script == null) {
                throw new IOException(NAME + " is missing from this installation");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Ten times as fast as the class loader's access to a resource in a jar, in a JVM that has just
     * started.
     */
    private static byte @Nullable [] readFromJar(URL location) throws IOException {
        if (!location.getPath().endsWith(".jar")) {
            return null;
        }
        try (ZipFile jar = new ZipFile(Path.of(location.toURI()).toFile())) {
            ZipEntry entry =
                    jar.getEntry(SupervisorScript.class.getPackageName().replace('.', '/') + "/" + NAME);
            if (entry == null) {
                return null;
            }
            try (InputStream script = jar.getInputStream(entry)) {
                return script.readAllBytes();
            }
        } catch (URISyntaxException notAFile) {
            return null;
        }
    }
}
