package dev.leasehold.servlet;

import dev.leasehold.jdbc.JdbcFence;
import dev.leasehold.model.Admission;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A service as a user writes it, on a real servlet container and a real database. A PUT replaces the
 * one row of its table by the body of the request, in one transaction.
 */
final class LedgerService implements AutoCloseable {
    /** What a test does to a request that has passed the door. */
    @FunctionalInterface
    interface Pause {
        void before(String body) throws Exception;
    }

    private final DataSource database;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final AtomicInteger entered = new AtomicInteger();
    private final JdbcFence fence;
    private boolean asksInTransaction = true;
    private volatile Pause pause = body -> {};

    LedgerService(DataSource database) throws SQLException {
        this.database = database;
        execute("create table if not exists ledger (id int primary key, entry varchar(100))");
        execute("delete from ledger");
        execute("insert into ledger values (1, 'empty')");
        this.fence = JdbcFence.prepare(database);
        execute("delete from leasehold_fence");
    }

    /** A filter that raises the fence of this service. */
    GrantFilter door() {
        return GrantFilter.raising(resource -> fence.in(database, resource));
    }

    /** A service whose author relies on the door alone. */
    LedgerService withoutTransactionCheck() {
        asksInTransaction = false;
        return this;
    }

    LedgerService start(GrantFilter filter) throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Ledger()), "/*");
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
        return this;
    }

    void pause(Pause value) {
        pause = value;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/ledger");
    }

    /** How many requests have passed the door. */
    int entered() {
        return entered.get();
    }

    String entry() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select entry from ledger where id = 1")) {
            row.next();
            return row.getString(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    /** The part that the user writes. */
    private final class Ledger extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            entered.incrementAndGet();
            String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            try {
                pause.before(body);
                write(request, response, body);
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        private void write(HttpServletRequest request, HttpServletResponse response, String body) throws Exception {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                GuardedRequest guarded = GuardedRequest.find(request).orElse(null);
                if (asksInTransaction && guarded != null) {
                    Admission answer = fence.admit(connection, guarded.grant(), guarded.resource());
                    if (answer instanceof Admission.Refused refused) {
                        connection.rollback();
                        guarded.refuse(response, refused);
                        return;
                    }
                }
                try (PreparedStatement update =
                        connection.prepareStatement("update ledger set entry = ? where id = 1")) {
                    update.setString(1, body);
                    update.executeUpdate();
                }
                connection.commit();
                response.getOutputStream().write("written".getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            entered.incrementAndGet();
            response.getOutputStream().write("read".getBytes(StandardCharsets.UTF_8));
        }
    }
}
