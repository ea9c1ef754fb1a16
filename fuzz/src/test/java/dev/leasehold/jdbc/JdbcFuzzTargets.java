package dev.leasehold.jdbc;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.StoreCorruptException;
import java.util.List;

/** Database addresses, and text in rows. */
public final class JdbcFuzzTargets {
    private static final String HISTORY =
            """
            42 1700000000000000 expired attempt-0001 10 host-1-abcwhy not
            41 1690000000000000 first attempt-0000 4 host
            """;

    private JdbcFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of(
                        "database URL",
                        IllegalArgumentException.class,
                        JdbcFuzzTargets::address,
                        "postgresql://user:p%40ss@host:5432/db?sslmode=require",
                        "mariadb://user@host/db",
                        "sqlite:/path.db",
                        "h2:mem:x?user=a&password=b"),
                FuzzTarget.of(
                        "row history",
                        StoreCorruptException.class,
                        text -> LeaseRow.parsed("leasehold_lease", () -> HistoryText.parse(text, 100)),
                        HISTORY));
    }

    private static void address(String text) {
        JdbcUrl address = JdbcUrl.parse(text);
        FuzzTarget.requireBelow(address.url().length(), text.length() + 60L);
    }
}
