package dev.leasehold.jdbc;

import dev.leasehold.testkit.servers.InnoDbProcess;

/** MariaDB from the operating system's package. */
final class MariaDbServer extends InnoDbServer {
    static final MariaDbServer SHARED = new MariaDbServer();

    MariaDbServer() {
        super("mariadb", "");
    }

    @Override
    InnoDbProcess start(String first) throws Exception {
        return InnoDbProcess.mariaDb(first);
    }
}
