package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.nio.file.Path;
import java.util.List;

/** MariaDB from the operating system's package. */
final class MariaDbServer extends InnoDbServer {
    static final MariaDbServer SHARED = new MariaDbServer();

    private MariaDbServer() {
        super("mariadb", "");
    }

    @Override
    void install(Path data, Path scratch) throws Exception {
        // Two installations at the same time would use the same names for temporary tables.
        run(List.of(
                InstalledProgram.require("mariadb-install-db").toString(),
                "--no-defaults",
                user(),
                "--datadir=" + data,
                "--tmpdir=" + scratch,
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
    }

    @Override
    List<String> command() {
        return List.of(InstalledProgram.require("mariadbd").toString());
    }
}
