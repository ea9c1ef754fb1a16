package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.servers.InnoDbProcess;
import java.nio.file.Path;

/** MySQL, with a copy of the empty database that {@code scripts/mysql-server} made. */
final class MySqlServer extends InnoDbServer {
    static final MySqlServer SHARED = new MySqlServer();

    /** Without TLS, the driver gets the server's key from the server, to send it the password. */
    MySqlServer() {
        super("mysql", "?allowPublicKeyRetrieval=true");
    }

    /** The key that the copied database came with. */
    static Path publicKey() {
        return InstalledProgram.require(InstalledProgram.MYSQL)
                .resolveSibling("data")
                .resolve("public_key.pem");
    }

    @Override
    InnoDbProcess start(String first) throws Exception {
        return InnoDbProcess.mySql(first);
    }
}
