package dev.leasehold.jdbc;

import dev.leasehold.internal.Nearest;
import dev.leasehold.internal.PasswordFile;
import dev.leasehold.jdbc.internal.PromptSocketFactory;
import dev.leasehold.model.Text;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A store URL translated to JDBC. User and password are passed as properties, never in the URL,
 * because drivers repeat URLs in their messages.
 *
 * @param driver the class to load, so that no other driver on the class path costs time
 * @param artifact the dependency to add if the driver is missing
 * @param options the names of the properties that come from the URL
 */
record JdbcUrl(
        String driver,
        String artifact,
        String url,
        Properties properties,
        List<String> options,
        List<String> firstStatements) {
    private static final String POSTGRES_DRIVER = "org.postgresql.Driver";
    private static final String H2_DRIVER = "org.h2.Driver";
    private static final String SQLITE_DRIVER = "org.sqlite.JDBC";
    private static final String SQLITE_FILE = "jdbc:sqlite:";
    private static final String H2_FILE = "jdbc:h2:file:";
    private static final String SERVER_FORM = "://[user[:password]@]host[:port]/database[?option=value&...]";

    /** An option of ours, not of the driver. */
    private static final String PASSWORD_FILE = "password-file";

    private static final String PASSWORD = "password";
    private static final String SERVICE = "service";

    /** Environment variables, as the command lines of these databases read them. */
    @FunctionalInterface
    interface Environment {
        @Nullable
        String get(String name);
    }

    static JdbcUrl parse(String text) {
        return parse(text, System::getenv);
    }

    static JdbcUrl parse(String text, Environment environment) {
        int colon = text.indexOf(':');
        String scheme = text.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
        String rest = text.substring(colon + 1);
        return switch (scheme) {
            case "postgresql", "postgres" -> postgresql(rest, environment);
            case "mariadb", "mysql" -> mariaDb(scheme, rest, environment);
            case "sqlite" -> sqlite(rest);
            case "h2" -> h2(rest);
            default -> throw new IllegalArgumentException("store URL names a database that Leasehold does not support");
        };
    }

    private static JdbcUrl postgresql(String rest, Environment environment) {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("socketTimeout", "20");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "leasehold");
        properties.setProperty("socketFactory", PromptSocketFactory.class.getName());
        String service = service(rest, environment);
        String place = service == null ? server("postgresql", rest, properties) : ofService(rest, service, properties);
        givePassword(properties, environment.get("PGPASSWORD"));
        return new JdbcUrl(
                POSTGRES_DRIVER,
                "org.postgresql:postgresql",
                "jdbc:postgresql://" + place,
                properties,
                optionNames(rest),
                List.of());
    }

    /** The service of a URL without a host: its option, or the one in the environment; null if the URL has a host. */
    private static @Nullable String service(String rest, Environment environment) {
        String body = rest.startsWith("//") ? rest.substring(2) : rest;
        if (!body.isEmpty() && !body.startsWith("?")) {
            return null;
        }
        Properties found = new Properties();
        options(body.isEmpty() ? "" : body.substring(1), found);
        return found.getProperty(SERVICE, environment.get("PGSERVICE"));
    }

    /** The driver finds host, database, user and password of a service in the service file, as psql does. */
    private static String ofService(String rest, String service, Properties properties) {
        int question = rest.indexOf('?');
        options(question < 0 ? "" : rest.substring(question + 1), properties);
        properties.remove(SERVICE);
        return "?" + SERVICE + "=" + URLEncoder.encode(service, StandardCharsets.UTF_8);
    }

    /** A password in the URL goes before its file, and both before the environment. */
    private static void givePassword(Properties properties, @Nullable String ofEnvironment) {
        Object file = properties.remove(PASSWORD_FILE);
        boolean inUrl = properties.containsKey(PASSWORD);
        if (file != null && inUrl) {
            throw new IllegalArgumentException("store URL has both a password and password-file: remove one of them");
        }
        if (file != null) {
            properties.setProperty(PASSWORD, PasswordFile.read(absolute(file.toString())));
        } else if (!inUrl && ofEnvironment != null) {
            properties.setProperty(PASSWORD, ofEnvironment);
        }
    }

    /** A command that 'run' starts elsewhere gets the same URL. */
    private static Path absolute(String file) {
        if (!file.startsWith("/")) {
            throw new IllegalArgumentException(
                    "store URL has a password-file that does not start with /: write the whole path");
        }
        return Path.of(file);
    }

    private static JdbcUrl mariaDb(String scheme, String rest, Environment environment) {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "10000");
        properties.setProperty("socketTimeout", "20000");
        properties.setProperty("tcpKeepAlive", "true");
        String place = server(scheme, rest, properties);
        givePassword(properties, environment.get("MYSQL_PWD"));
        return new JdbcUrl(
                "org.mariadb.jdbc.Driver",
                "org.mariadb.jdbc:mariadb-java-client",
                "jdbc:mariadb://" + place,
                properties,
                optionNames(rest),
                List.of("set session transaction isolation level read committed"));
    }

    private static JdbcUrl sqlite(String rest) {
        String path = rest.startsWith("//") ? rest.substring(2) : rest;
        int question = path.indexOf('?');
        if (question >= 0) {
            throw new IllegalArgumentException("store URL has parameters that SQLite does not take, after '?': write"
                    + " sqlite:/path/of/a/file.db, and nothing else but ?id=...");
        }
        if (path.isEmpty() || path.startsWith(":") || path.startsWith("~")) {
            throw new IllegalArgumentException("store URL names no file: write sqlite:/path/of/a/file.db");
        }
        Properties properties = new Properties();
        properties.setProperty("busy_timeout", "20000");
        properties.setProperty("journal_mode", "WAL");
        properties.setProperty("synchronous", "FULL");
        return new JdbcUrl(
                SQLITE_DRIVER, "org.xerial:sqlite-jdbc", SQLITE_FILE + path, properties, List.of(), List.of());
    }

    private static JdbcUrl h2(String rest) {
        Properties properties = new Properties();
        properties.setProperty("user", "sa");
        properties.setProperty(PASSWORD, "");
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        if (place.isEmpty() || place.contains(";")) {
            throw new IllegalArgumentException(
                    "store URL names no database: write h2:/path/of/a/file, h2:mem:name or h2:tcp://host/path,"
                            + " with ?user=...&password=... where needed");
        }
        options(question < 0 ? "" : rest.substring(question + 1), properties);
        String path = place.startsWith("///") ? place.substring(2) : place;
        String url = path.startsWith("mem:")
                ? "jdbc:h2:" + path + ";DB_CLOSE_DELAY=-1"
                : path.startsWith("tcp:") || path.startsWith("ssl:")
                        ? "jdbc:h2:" + path
                        // Other processes reach the file through the process that opened it first.
                        : H2_FILE + path + ";AUTO_SERVER=TRUE;TRACE_LEVEL_FILE=0";
        return new JdbcUrl(H2_DRIVER, "com.h2database:h2", url, properties, optionNames(rest), List.of());
    }

    /** Returns host and database, and moves user, password and options to the properties. */
    private static String server(String scheme, String rest, Properties properties) {
        String body = rest.startsWith("//") ? rest.substring(2) : "";
        int question = body.indexOf('?');
        options(question < 0 ? "" : body.substring(question + 1), properties);
        String place = question < 0 ? body : body.substring(0, question);
        int at = place.lastIndexOf('@');
        if (at >= 0) {
            String user = place.substring(0, at);
            int colon = user.indexOf(':');
            properties.setProperty("user", decode(colon < 0 ? user : user.substring(0, colon)));
            if (colon >= 0) {
                properties.setProperty(PASSWORD, decode(user.substring(colon + 1)));
            }
        }
        String hostAndDatabase = place.substring(at + 1);
        if (!hostAndDatabase.matches("[A-Za-z0-9.,:_\\[\\]-]+/[^/;#\\s]+")) {
            throw new IllegalArgumentException("store URL is incomplete: write " + scheme + SERVER_FORM
                    + ", with %XX for special characters in user and password");
        }
        requirePorts(hostAndDatabase.substring(0, hostAndDatabase.indexOf('/')));
        return hostAndDatabase;
    }

    /** A driver reports a bad port as a server that does not answer. */
    private static void requirePorts(String hosts) {
        for (String host : hosts.split(",", -1)) {
            if (!host.matches("[^\\[\\]]+|\\[[^\\[\\]]+\\](:.*)?")) {
                throw new IllegalArgumentException(
                        "store URL has no host, or not the whole of an address in brackets: write [::1] or [::1]:5432");
            }
            int colon = host.lastIndexOf(':');
            String port = colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "0";
            if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
                throw new IllegalArgumentException(
                        "store URL has no valid port after the colon of its host: write a number up to"
                                + " 65535, or leave out the colon");
            }
        }
    }

    private static void options(String query, Properties properties) {
        for (String option : query.split("&", -1)) {
            int equals = option.indexOf('=');
            if (equals > 0) {
                properties.setProperty(decode(option.substring(0, equals)), decode(option.substring(equals + 1)));
            } else if (!option.isEmpty()) {
                throw new IllegalArgumentException("store URL has an option that is not of the form name=value");
            }
        }
    }

    private static List<String> optionNames(String rest) {
        Properties found = new Properties();
        int question = rest.indexOf('?');
        options(question < 0 ? "" : rest.substring(question + 1), found);
        found.remove(PASSWORD_FILE);
        return List.copyOf(found.stringPropertyNames());
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("store URL has a % that is not followed by two hexadecimal digits");
        }
    }

    Driver loadDriver() {
        try {
            Driver loaded = Class.forName(driver)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
            requireKnownOptions(loaded);
            return loaded;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "the store needs a driver that is not on the class path: add " + artifact, e);
        }
    }

    /** Drivers ignore options that they do not know, and a mistyped one would be without effect. */
    private void requireKnownOptions(Driver loaded) {
        if (options.isEmpty()) {
            return;
        }
        List<String> known = new ArrayList<>(List.of("user", PASSWORD, PASSWORD_FILE));
        try {
            for (DriverPropertyInfo property : loaded.getPropertyInfo(url, new Properties())) {
                known.add(property.name);
            }
        } catch (SQLException e) {
            throw new IllegalArgumentException("the driver does not list its options: " + e.getMessage(), e);
        }
        for (String option : options) {
            if (!known.contains(option)) {
                throw new IllegalArgumentException("store URL has an unknown parameter '" + Text.shown(option, 40) + "'"
                        + Nearest.suggestion(option, known, ""));
            }
        }
    }

    /** The same without the setting that SQLite writes into its file. A store has it already. */
    JdbcUrl withoutChanges() {
        Properties kept = new Properties();
        kept.putAll(properties);
        kept.remove("journal_mode");
        return new JdbcUrl(driver, artifact, url, kept, options, firstStatements);
    }

    /** The file of an embedded database; null if it is on a server or in memory. */
    @Nullable
    Path file() {
        String path = url.startsWith(SQLITE_FILE)
                ? url.substring(SQLITE_FILE.length())
                : url.startsWith(H2_FILE) ? url.substring(H2_FILE.length(), url.indexOf(';')) + ".mv.db" : null;
        return path == null ? null : Path.of(path);
    }

    /** Prepares a new connection for its first use. */
    void prepare(Connection connection) throws SQLException {
        if (!firstStatements.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                for (String first : firstStatements) {
                    statement.execute(first);
                }
            }
        }
        if (driver.equals(POSTGRES_DRIVER)) {
            PostgresDrivers.disableNamedStatementsBehindPooler(connection);
        }
    }

    /** Whether a connection failed only because other clients hold a lock for a moment. */
    boolean isBusy(SQLException e) {
        return driver.equals(SQLITE_DRIVER) && SqliteDialect.isBusy(e);
    }

    /** Texts that must not appear in a message. */
    List<String> secrets() {
        List<String> found = new ArrayList<>();
        for (String name : properties.stringPropertyNames()) {
            @Nullable String value = properties.getProperty(name);
            if (name.toLowerCase(Locale.ROOT).contains(PASSWORD) && value != null && !value.isEmpty()) {
                found.add(value);
            }
        }
        return found;
    }

    /** Omits the properties, which hold the password. */
    @Override
    public String toString() {
        return url;
    }
}
