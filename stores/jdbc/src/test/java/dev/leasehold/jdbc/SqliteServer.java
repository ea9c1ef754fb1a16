package dev.leasehold.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** A file in its own directory. */
final class SqliteServer extends TestServer {
    static final SqliteServer SHARED = new SqliteServer();

    private Path directory;
    private int databases;

    @Override
    void start() throws IOException {
        directory = Files.createTempDirectory("leasehold-sqlite");
    }

    @Override
    void stop() throws IOException {
        deleteTree(directory);
    }

    static void deleteTree(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    String url() {
        return "sqlite:" + directory.resolve("leases.db");
    }

    @Override
    String emptyDatabase() {
        return "sqlite:" + directory.resolve("empty" + ++databases + ".db");
    }

    /**
     * Transactions begin as writers: one that began as a reader could not wait for its turn to
     * write.
     */
    @Override
    DataSource dataSource() {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout(20_000);
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:" + url());
        return source;
    }
}
