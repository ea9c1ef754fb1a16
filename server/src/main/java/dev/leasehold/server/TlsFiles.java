package dev.leasehold.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** A certificate and its key, as the PEM files that certificate authorities and their programs write. */
final class TlsFiles {
    static final char[] PASSWORD = new char[0];

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final Path certificate;
    private final Path key;

    TlsFiles(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Changes when one of the files was replaced. */
    List<FileTime> version() throws IOException {
        return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
    }

    /** @throws IllegalArgumentException if the files are not what they should be; the message says what to do */
    KeyStore read() throws IOException {
        try {
            Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException(certificate + " has no certificate");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, PASSWORD);
            store.setKeyEntry("leasehold", privateKey(), PASSWORD, chain.toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    certificate + " and " + key + " are not a certificate and its key: " + e.getMessage(), e);
        }
    }

    private PrivateKey privateKey() throws IOException, GeneralSecurityException {
        String pem = Files.readString(key, StandardCharsets.US_ASCII);
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException(
                    key + " has no '" + BEGIN + "'. Other forms of keys can be converted with"
                            + " 'openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW'");
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end)));
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // A key of another kind.
            }
        }
        throw new IllegalArgumentException(key + " is a key of a kind that is not known: use RSA, EC or Ed25519");
    }
}
