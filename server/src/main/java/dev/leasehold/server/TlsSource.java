package dev.leasehold.server;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;

/** The files that have the certificate of a server and its key. */
interface TlsSource {
    /** The name of the only entry in a keystore that was read. */
    String ENTRY = "leasehold";

    /** The password of a keystore that was read. It is only in memory, so it needs none. */
    char[] PASSWORD = new char[0];

    /** Changes when one of the files was replaced. */
    List<FileTime> version() throws IOException;

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if the files are not what they should be; the message says what to do
     */
    KeyStore read() throws IOException;

    /**
     * A keystore with this key and its certificates.
     *
     * @param where the files, for the messages
     * @throws IllegalArgumentException if no client would accept them
     */
    static KeyStore keystore(String where, PrivateKey key, Certificate[] chain)
            throws IOException, GeneralSecurityException {
        if (chain.length > 0 && chain[0] instanceof X509Certificate own) {
            requireValid(where, own);
            requireTogether(where, key, own);
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        store.setKeyEntry(ENTRY, key, PASSWORD, chain);
        return store;
    }

    private static void requireValid(String where, X509Certificate certificate) {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new IllegalArgumentException(
                    "the certificate in " + where + " expired on "
                            + certificate.getNotAfter().toInstant() + ", so no client would accept it. Renew it",
                    e);
        } catch (CertificateNotYetValidException e) {
            throw new IllegalArgumentException(
                    "the certificate in " + where + " is valid only from "
                            + certificate.getNotBefore().toInstant()
                            + " on, so no client would accept it. Check the clock of this host",
                    e);
        }
    }

    /** A key of another certificate would only show when the first client connects. */
    private static void requireTogether(String where, PrivateKey key, X509Certificate certificate)
            throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "Ed25519";
                };
        byte[] probe = {1, 2, 3};
        boolean together;
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(probe);
            byte[] signed = signing.sign();
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(certificate.getPublicKey());
            checking.update(probe);
            together = checking.verify(signed);
        } catch (java.security.InvalidKeyException | java.security.SignatureException e) {
            together = false;
        }
        if (!together) {
            throw new IllegalArgumentException("the key in " + where + " does not belong to the certificate");
        }
    }
}
