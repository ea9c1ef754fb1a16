package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes keystores with the JDK's tool, as users do. */
final class MadeKeystore {
    static final String PASSWORD = "change it";

    private MadeKeystore() {}

    /** Adds a key with a certificate for this host. */
    static void addKey(Path keystore, String type, String alias, String algorithm, String subject, String... more) {
        List<String> options = new ArrayList<>(List.of(
                "-genkeypair",
                "-keypass",
                PASSWORD,
                "-storetype",
                type,
                "-alias",
                alias,
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + subject,
                "-ext",
                "san=ip:127.0.0.1"));
        options.addAll(List.of(more));
        keytool(keystore, options);
    }

    static void keytool(Path keystore, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(options);
        command.addAll(List.of("-keystore", keystore.toString(), "-storepass", PASSWORD, "-noprompt"));
        try {
            Process tool = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    // A question would otherwise wait for its answer for ever.
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(tool.waitFor()).as(output).isZero();
        } catch (java.io.IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
