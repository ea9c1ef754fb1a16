package dev.leasehold.redis;

import dev.leasehold.internal.SystemWatchdog;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** Opens connections: with or without TLS, authenticated, in the right database, with timeouts. */
final class RedisSockets implements AutoCloseable {
    private static final String KEY_STORE = "PKCS12";
    /** Certificates are public, but the key store format requires a password. */
    private static final char[] NO_SECRET = "certificates".toCharArray();

    private final HostAndPort server;
    private final JedisClientConfig config;
    private final SystemWatchdog<WatchdogSocket> watchdog;

    RedisSockets(RedisAddress address) {
        this.server = new HostAndPort(address.host(), address.port());
        int millis = (int) address.timeout().toMillis();
        DefaultJedisClientConfig.Builder builder = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(millis)
                .socketTimeoutMillis(millis)
                .database(address.database())
                // Otherwise every new connection sends the name of the library, which takes a round trip.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
        if (address.password() != null) {
            builder.user(address.user()).password(address.password());
        }
        if (address.tls()) {
            builder.sslOptions(encryption(address));
        }
        this.config = builder.build();
        this.watchdog = new SystemWatchdog<>(address.timeout(), WatchdogSocket::cut);
    }

    PooledConnection connect() {
        return PooledConnection.open(
                new WatchdogSocket(new DefaultJedisSocketFactory(server, config), watchdog), config);
    }

    ListeningConnection listen() {
        return new ListeningConnection(server, config);
    }

    @Override
    public void close() {
        watchdog.close();
    }

    private static SslOptions encryption(RedisAddress address) {
        // Weaker modes accept a certificate of any host.
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
        if (address.certificates() != null) {
            byte[] trusted = keyStore(Path.of(address.certificates()));
            options.trustStoreType(KEY_STORE).truststore(() -> new ByteArrayInputStream(trusted), NO_SECRET);
        }
        return options.build();
    }

    private static byte[] keyStore(Path certificates) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(certificates))) {
            KeyStore trusted = KeyStore.getInstance(KEY_STORE);
            trusted.load(null, null);
            int count = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + count++, certificate);
            }
            if (count == 0) {
                throw new GeneralSecurityException("no certificate in it");
            }
            ByteArrayOutputStream store = new ByteArrayOutputStream();
            trusted.store(store, NO_SECRET);
            return store.toByteArray();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "the certificates to trust (ca=" + certificates
                            + ") cannot be read: name a file of PEM certificates",
                    e);
        }
    }
}
