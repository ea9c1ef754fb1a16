package dev.leasehold.cli.store;

import dev.leasehold.testkit.servers.InnoDbProcess;
import dev.leasehold.testkit.servers.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import redis.embedded.RedisServer;

/** Real servers that want the password of the user carol: PostgreSQL, MariaDB and Redis. */
final class GuardedServers implements AutoCloseable {
    /** Must not appear in any output. */
    static final String PASSWORD = "s3cret-of-carol";

    private final String postgresql;
    private final int redisPort;
    private final InnoDbProcess mariaDb;
    private final RedisServer redis;

    GuardedServers() throws Exception {
        postgresql = ServerStore.POSTGRESQL.url().replace("postgres@", "carol@");
        addToPostgresql();
        redisPort = LoopbackPort.free();
        redis = RedisServer.newRedisServer()
                .port(redisPort)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("requirepass " + PASSWORD)
                .setting("user carol on >" + PASSWORD + " ~* +@connection")
                .build();
        redis.start();
        mariaDb =
                InnoDbProcess.mariaDb("create user carol identified by '" + PASSWORD + "';\ncreate database leases;\n");
    }

    private static void addToPostgresql() throws Exception {
        String admin = "jdbc:" + ServerStore.POSTGRESQL.url().replace("postgres@", "") + "?user=postgres";
        try (Connection connection = DriverManager.getConnection(admin);
                Statement statement = connection.createStatement()) {
            statement.execute("create role carol login password '" + PASSWORD + "'");
            try (ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                Path rules = Path.of(row.getString(1));
                Files.writeString(rules, "host all carol all scram-sha-256\n" + Files.readString(rules));
            }
            statement.execute("select pg_reload_conf()");
        }
    }

    /** @param credentials in place of {@code carol} */
    String postgresql(String credentials) {
        return postgresql.replace("carol@", credentials + "@");
    }

    String mariaDb(String credentials) {
        return "mariadb://" + credentials + "@127.0.0.1:" + mariaDb.port() + "/leases";
    }

    String redis(String credentials) {
        return "redis://" + credentials + "127.0.0.1:" + redisPort;
    }

    @Override
    public void close() throws Exception {
        redis.stop();
        mariaDb.close();
    }
}
