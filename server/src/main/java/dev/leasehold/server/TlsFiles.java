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
final class TlsFiles implements TlsSource {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final Path certificate;
    private final Path key;

    TlsFiles(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    @Override
    public List<FileTime> version() throws IOException {
        return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
    }

    @Override
    public KeyStore read() throws IOException {
        try {
            Collection<? extends Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)));
            if (chain.isEmpty()) {
                throw new IllegalArgumentException(certificate + " has no certificate");
            }
            return TlsSource.keystore(certificate + " and " + key, privateKey(), chain.toArray(Certificate[]::new));
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
