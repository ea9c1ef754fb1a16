package dev.leasehold.testkit.environment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate that signs itself, for servers with TLS in tests. Who trusts it, trusts nobody else.
 *
 * @param keys both in one file of the kind PKCS12, with {@link #PASSWORD}
 */
public record TestCertificate(Path certificate, Path key, Path keys) {
    public static final String PASSWORD = "changeit";

    private static final String ALIAS = "server";

    /**
     * Makes one with the {@code keytool} of this JDK.
     *
     * @param names for example {@code dns:localhost}
     */
    public static TestCertificate in(Path directory, String names) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path keys = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=server",
                        "-ext",
                        "san=" + names,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        return readBack(directory, keys);
    }

    private static TestCertificate readBack(Path directory, Path keys) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
            Path certificate = directory.resolve("certificate.pem");
            Path key = directory.resolve("key.pem");
            Key secret = store.getKey(ALIAS, PASSWORD.toCharArray());
            Files.writeString(
                    certificate, pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()));
            Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
            // Servers refuse a key that others may read.
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            return new TestCertificate(certificate, key, keys);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate cannot be read back", e);
        }
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }
}
