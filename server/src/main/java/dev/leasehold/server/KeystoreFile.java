package dev.leasehold.server;

import dev.leasehold.internal.PasswordFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate and its key in a keystore of the kind PKCS #12 or JKS. Its password is in a file of its own. */
final class KeystoreFile implements TlsSource {
    private static final int MOST_NAMED = 10;

    private final Path file;
    private final Path passwordFile;
    private final @Nullable String alias;

    /** @param alias the entry to use; null if the keystore has only one key */
    KeystoreFile(Path file, Path passwordFile, @Nullable String alias) {
        this.file = file;
        this.passwordFile = passwordFile;
        this.alias = alias;
    }

    @Override
    public List<FileTime> version() throws IOException {
        return List.of(Files.getLastModifiedTime(file), Files.getLastModifiedTime(passwordFile));
    }

    @Override
    public KeyStore read() throws IOException {
        char[] password = PasswordFile.read(passwordFile).toCharArray();
        try {
            KeyStore store = open(password);
            String name = entry(store);
            if (!(store.getKey(name, password) instanceof PrivateKey key)) {
                throw new IllegalArgumentException("the entry '" + name + "' of " + file + " is not a private key");
            }
            Certificate[] chain = store.getCertificateChain(name);
            return TlsSource.keystore(file + ", entry '" + name + "'", key, chain);
        } catch (UnrecoverableKeyException e) {
            throw new IllegalArgumentException(
                    "the key in " + file + " has another password than the keystore. Give it the same one, with"
                            + " 'keytool -keypasswd'",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void requireFile(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(path + " is not a file");
        }
    }

    private KeyStore open(char[] password) throws IOException, GeneralSecurityException {
        requireFile(file);
        try {
            return KeyStore.getInstance(file.toFile(), password);
        } catch (KeyStoreException e) {
            throw new IllegalArgumentException(
                    file
                            + " is not a keystore of the kind PKCS #12 or JKS. For PEM files, use --tls-cert and --tls-key",
                    e);
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new IllegalArgumentException(
                        "the password in " + passwordFile + " is not the password of " + file, e);
            }
            throw new IllegalArgumentException(
                    file + " cannot be read as a keystore: it is damaged, or " + passwordFile + " has another password",
                    e);
        }
    }

    private String entry(KeyStore store) throws KeyStoreException {
        List<String> keys = new ArrayList<>();
        for (String name : Collections.list(store.aliases())) {
            if (store.isKeyEntry(name)) {
                keys.add(name);
            }
        }
        Collections.sort(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " has no private key, only certificates. The server needs the key of its certificate");
        }
        if (alias == null && keys.size() > 1) {
            throw new IllegalArgumentException(
                    file + " has several keys: choose one with --tls-alias. They are " + shown(keys));
        }
        if (alias != null && !store.isKeyEntry(alias)) {
            throw new IllegalArgumentException(
                    file + " has no private key with the alias '" + alias + "'; it has " + shown(keys));
        }
        return alias == null ? keys.get(0) : alias;
    }

    private static String shown(List<String> keys) {
        String names = String.join(", ", keys.subList(0, Math.min(MOST_NAMED, keys.size())));
        return keys.size() > MOST_NAMED ? names + ", ..." : names;
    }
}
