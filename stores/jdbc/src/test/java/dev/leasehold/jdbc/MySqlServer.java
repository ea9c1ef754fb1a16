package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.nio.file.Path;
import java.util.List;

/** MySQL, with a copy of the empty database that {@code scripts/mysql-server} made. */
final class MySqlServer extends InnoDbServer {
    static final MySqlServer SHARED = new MySqlServer();

    /** Without TLS, the driver gets the server's key from the server, to send it the password. */
    MySqlServer() {
        super("mysql", "?allowPublicKeyRetrieval=true");
    }

    /** The key that the copied database came with. */
    static Path publicKey() {
        return program().resolveSibling("data").resolve("public_key.pem");
    }

    private static Path program() {
        return InstalledProgram.require(InstalledProgram.MYSQL);
    }

    @Override
    void install(Path data, Path scratch) throws Exception {
        run(List.of("cp", "-r", program().resolveSibling("data").toString(), data.toString()));
    }

    /** Durability is as the server sets it by default. What is switched off here costs a second or memory. */
    @Override
    List<String> command() {
        return List.of(
                program().toString(),
                "--basedir=" + program().resolveSibling("usr"),
                "--secure-file-priv=NULL",
                "--mysqlx=OFF",
                "--performance-schema=OFF",
                "--innodb-redo-log-capacity=64M",
                "--innodb-buffer-pool-size=32M");
    }
}
