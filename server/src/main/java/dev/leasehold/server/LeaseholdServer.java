package dev.leasehold.server;

import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Offers a store over HTTP. The server keeps nothing itself: it can be stopped, killed and started
 * again at any moment, and several servers of one store are equal.
 *
 * <p>As long as the store has no {@link AccessKeys}, everybody on this host may make every call. From
 * the first key on, every call needs one. A server that others can reach needs keys and TLS.
 */
public final class LeaseholdServer implements AutoCloseable {
    /** The port that clients expect. */
    public static final int DEFAULT_PORT = 7420;

    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
    private static final Duration LONGEST_STALL = Duration.ofSeconds(30);
    private static final int MAX_THREADS = 16;
    private static final int MAX_HEADERS = 8 * 1024;

    private final Server server;
    private final ServerConnector connector;
    private final boolean tls;
    private final StoreThreads threads = new StoreThreads();
    private final ServerClock clock = new ServerClock();
    private final Departures departures;
    private final WaitingRoom waiting;
    private final EventStreams events;
    private final HealthCalls health;
    private final McpCalls mcp;
    private final ServerMetrics metrics;
    private final ScrapeAccess scrapes;

    private LeaseholdServer(Builder settings, @Nullable RenewedCertificate certificate) throws IOException {
        metrics = new ServerMetrics(settings.store, settings.jobNames);
        LeaseStore store = metrics.store();
        boolean local = settings.isLocal();
        departures = new Departures();
        waiting = new WaitingRoom(store, threads, clock, departures);
        metrics.show(waiting);
        health = new HealthCalls(store);
        mcp = new McpCalls(store, threads);
        Authenticator authenticator = new Authenticator(store.register(), local, settings.onlyKey);
        events = new EventStreams(store, authenticator, threads, clock, settings.longestStall);
        metrics.show(events);
        QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS);
        pool.setName("leasehold-server");
        server = new Server(pool);
        tls = certificate != null;
        connector = connector(certificate);
        connector.setHost(settings.address.getAddress().getHostAddress());
        connector.setPort(settings.address.getPort());
        connector.setIdleTimeout(IDLE.toMillis());
        server.addConnector(connector);
        server.setErrorHandler(new ApiErrors(metrics));
        scrapes = new ScrapeAccess(authenticator);
        RateLimits limits = settings.callsPerSecond == 0 ? null : new RateLimits(settings.callsPerSecond);
        server.setHandler(new GracefulHandler(new ApiHandler(
                routes(store, settings.agentState), threads, clock, authenticator, limits, local, metrics, scrapes)));
        server.setStopTimeout(STOP_WITHIN.toMillis());
    }

    private ServerConnector connector(@Nullable RenewedCertificate certificate) {
        if (certificate == null) {
            return new ServerConnector(server, new HttpConnectionFactory(http(false)));
        }
        certificate.lookNowAndThen(clock);
        return new ServerConnector(server, certificate.context(), new HttpConnectionFactory(http(true)));
    }

    private static HttpConfiguration http(boolean secure) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADERS);
        if (secure) {
            // Clients may name this server by an address that is not in the certificate.
            http.addCustomizer(new SecureRequestCustomizer(false));
        }
        return http;
    }

    private Routes routes(LeaseStore store, @Nullable Path agentState) {
        Routes routes = new Routes();
        if (agentState != null) {
            new AgentCalls(store, agentState).addTo(routes);
        }
        new LeaseCalls(store, waiting).addTo(routes);
        new ReadCalls(store).addTo(routes);
        new ExplainCalls(store).addTo(routes);
        new FenceCalls(store).addTo(routes);
        new WorkCalls(store).addTo(routes);
        new OnceCalls(store).addTo(routes);
        new JobCalls(store.register()).addTo(routes);
        new TargetCalls(store).addTo(routes);
        new RegisterCalls(store.register()).addTo(routes);
        new EventCalls(events).addTo(routes);
        new MetricsCalls(metrics).addTo(routes);
        new PageFiles().addTo(routes);
        mcp.addTo(routes);
        health.addTo(routes);
        return routes;
    }

    /** @param store stays the caller's, who closes it after the server */
    public static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** The settings of a server. */
    public static final class Builder {
        private final LeaseStore store;
        private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT);
        private @Nullable TlsSource tls;
        private boolean plaintext;
        private int callsPerSecond;
        private boolean jobNames;
        private Duration longestStall = LONGEST_STALL;
        private @Nullable Path agentState;
        private @Nullable OnlyKey onlyKey;

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /** Where to listen; with port 0, on any port that is free. The default is 127.0.0.1:7420. */
        public Builder listen(InetSocketAddress value) {
            address = value;
            return this;
        }

        /** The PEM files of a certificate with its chain and of its key. They are read again when they change. */
        public Builder tls(Path certificate, Path key) {
            tls = new TlsFiles(certificate, key);
            return this;
        }

        /**
         * A keystore of the kind PKCS #12 or JKS with a certificate and its key, and the file whose first
         * line is its password. They are read again when they change.
         *
         * @param alias the entry to use; null if the keystore has only one key
         */
        public Builder keystore(Path file, Path passwordFile, @Nullable String alias) {
            tls = new KeystoreFile(file, passwordFile, alias);
            return this;
        }

        /**
         * Lets others reach the server without TLS. Everybody on the way can read the keys and use
         * them.
         */
        public Builder insecurePlaintext() {
            plaintext = true;
            return this;
        }

        /** How many calls each key, and each address, may make in a second; zero for no limit. */
        public Builder callsPerSecond(int value) {
            callsPerSecond = value;
            return this;
        }

        /**
         * Shows in {@code /metrics} how long each job is overdue, by name. Each of them becomes a series in
         * Prometheus; without this, only the job that is overdue for longest is shown.
         */
        public Builder metricsByJob() {
            jobNames = true;
            return this;
        }

        /**
         * A server for one person on this host, who may open the store anyway: this key opens every
         * call, and no key of the store does.
         *
         * @param owner who is named in the history
         */
        public Builder onlyKey(String text, String owner) {
            onlyKey = new OnlyKey(text, owner);
            return this;
        }

        /** How long a client that listens to events may take nothing. */
        Builder longestStall(Duration value) {
            longestStall = value;
            return this;
        }

        /**
         * Answers the hook of coding agents on this host. The server looks at their files with its own
         * permissions, so others must not reach it.
         *
         * @param stateDirectory where the hook remembers sessions
         */
        public Builder agentHooks(Path stateDirectory) {
            agentState = stateDirectory;
            return this;
        }

        boolean isLocal() {
            return address.getAddress().isLoopbackAddress();
        }

        /**
         * Starts the server.
         *
         * @throws IllegalArgumentException if others could reach it without a key or without TLS
         * @throws IOException if the port cannot be used, or the files of the certificate not be read
         */
        public LeaseholdServer start() throws IOException {
            if (address.getAddress() == null) {
                throw new IllegalArgumentException("no such host: '" + address.getHostString() + "'");
            }
            if (!isLocal()) {
                if (agentState != null) {
                    throw new IllegalArgumentException("others can reach " + address.getHostString()
                            + ", and hooks of agents are for this host only: listen on 127.0.0.1");
                }
                if (onlyKey != null) {
                    throw new IllegalArgumentException("a server for one person listens on this host only");
                }
                requireProtection();
            }
            RenewedCertificate certificate = tls == null ? null : new RenewedCertificate(tls);
            return LeaseholdServer.start(new LeaseholdServer(this, certificate));
        }

        private void requireProtection() {
            if (!new AccessKeys(store.register()).any()) {
                throw new IllegalArgumentException("others can reach " + address.getHostString()
                        + ", and the store has no keys: everybody could take every lease. Make a key first, with"
                        + " 'leasehold keys add', or listen on 127.0.0.1");
            }
            if (tls == null && !plaintext) {
                throw new IllegalArgumentException("others can reach " + address.getHostString()
                        + ", and without TLS everybody on the way can read the keys and use them. Give a certificate,"
                        + " or listen on 127.0.0.1 behind a proxy that has one");
            }
        }
    }

    private static LeaseholdServer start(LeaseholdServer started) throws IOException {
        boolean running = false;
        try {
            started.departures.start();
            started.server.start();
            running = true;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        } finally {
            if (!running) {
                started.close();
            }
        }
        return started;
    }

    /** How many clients wait for a lease. */
    int waiting() {
        return waiting.size();
    }

    /** How many clients listen to events. */
    int listening() {
        return events.size();
    }

    /** The address under which this server is reached. */
    public URI uri() {
        String host = connector.getHost();
        return URI.create((tls ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + connector.getLocalPort());
    }

    /**
     * Stops the server. Clients that wait are sent away at once, and calls that have begun end, within
     * ten seconds.
     */
    @Override
    public void close() {
        health.stop();
        waiting.close();
        events.close();
        try {
            server.stop();
            departures.close();
        } catch (Exception e) {
            throw new IllegalStateException("the server could not be stopped cleanly", e);
        } finally {
            clock.close();
            threads.close();
            mcp.close();
            scrapes.close();
            metrics.close();
        }
    }
}
