package dev.leasehold.cli.serve;

import dev.leasehold.cli.agents.AgentServerFile;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.child.SystemdNotifier;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.targets.FileTargets;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** {@code leasehold serve}: offers a store over HTTP. */
public final class ServeCommand implements Command {
    private static final String DEFAULT = "127.0.0.1:" + LeaseholdServer.DEFAULT_PORT;
    private static final Option LISTEN =
            Option.of("listen", "HOST:PORT", Kind.TEXT, "where to listen (default: " + DEFAULT + ")");
    private static final Option TLS_CERT = Option.of(
            "tls-cert", "FILE", Kind.FILE, "the certificate with its chain, as PEM; read again when it changes");
    private static final Option TLS_KEY =
            Option.of("tls-key", "FILE", Kind.FILE, "the private key of the certificate, as PEM");
    private static final Option TLS_KEYSTORE = Option.of(
            "tls-keystore",
            "FILE",
            Kind.FILE,
            "a keystore (PKCS #12 or JKS) with the certificate and its key, instead of PEM files; read again when it"
                    + " changes");
    private static final Option TLS_PASSWORD_FILE = Option.of(
            "tls-password-file", "FILE", Kind.FILE, "a file whose first line is the password of the keystore");
    private static final Option TLS_ALIAS = Option.of(
            "tls-alias", "NAME", Kind.TEXT, "the entry of the keystore to use (default: the only key that it has)");
    private static final Option PLAINTEXT = Option.flag(
            "insecure-plaintext", "let others reach it without TLS: everybody on the way can read and use the keys");
    private static final Option RATE = Option.of(
            "rate",
            "N",
            Kind.NUMBER,
            "the calls that each key and each address may make in a second (default: no limit)");

    private static final Option METRICS_BY_JOB = Option.flag(
            "metrics-by-job", "show in /metrics how long each job is overdue, by name (default: only the longest)");

    private static final Option AGENT_HOOKS = Option.flag(
            "agent-hooks", "also answer 'agent-hook' for the agents of this user on this host, which is faster");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("serve", "offer a store over HTTP to programs that are not Java")
                .description(
                        """
                        Answers the calls of docs/http.md until TERM or INT stops it; calls that have begun then end
                        first, and clients that wait for a lease are told to ask another server. At / it has a page for
                        people (docs/page.md). It keeps nothing itself: start several on one store if one is not enough,
                        or stop it at any time. Every command can use it with --store http://HOST:PORT. As long as the
                        store has no keys ('leasehold keys add'), everybody on this host may make every call; from the
                        first key on, every call needs one. It listens beyond this host only if there are keys and a
                        certificate. With port 0 it takes any port that is free; --json prints the address.""")
                .option(LISTEN)
                .option(TLS_CERT)
                .option(TLS_KEY)
                .option(TLS_KEYSTORE)
                .option(TLS_PASSWORD_FILE)
                .option(TLS_ALIAS)
                .option(PLAINTEXT)
                .option(RATE)
                .option(METRICS_BY_JOB)
                .option(AGENT_HOOKS)
                .example("leasehold serve --store postgresql://jobs@db/leases");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        String given = invocation.arguments().text(LISTEN);
        InetSocketAddress address = address(given == null ? DEFAULT : given);
        BlockingQueue<String> signals = new LinkedBlockingQueue<>();
        try (SystemdNotifier systemd = new SystemdNotifier(
                        invocation.environment(),
                        complaint -> invocation.console().error("warning: " + complaint));
                LeaseStore store = invocation.openStore();
                Signals handlers = Signals.forward(signals::add);
                LeaseholdServer server = start(store, address, invocation);
                AgentServerFile found = announce(invocation, server, store.id())) {
            if (invocation.json()) {
                invocation.console().print(new Json().put("url", server.uri()).toString());
            }
            invocation.console().say("listening on " + server.uri() + " for store " + store.id());
            systemd.ready("listening on " + server.uri());
            awaitStop(signals);
            systemd.stopping();
            invocation.console().say("stopping");
        }
        return ExitCode.OK;
    }

    /** Lets the hook of agents find the server. */
    private static AgentServerFile announce(Invocation invocation, LeaseholdServer server, StoreId store) {
        return invocation.arguments().has(AGENT_HOOKS)
                ? AgentServerFile.write(invocation, server.uri().toString(), store)
                : AgentServerFile.none();
    }

    private static LeaseholdServer start(LeaseStore store, InetSocketAddress address, Invocation invocation) {
        Arguments arguments = invocation.arguments();
        LeaseholdServer.Builder builder = LeaseholdServer.over(store).listen(address);
        useCertificate(builder, arguments);
        if (arguments.has(PLAINTEXT)) {
            builder.insecurePlaintext();
        }
        if (arguments.has(METRICS_BY_JOB)) {
            builder.metricsByJob();
        }
        if (arguments.has(AGENT_HOOKS)) {
            builder.agentHooks(AgentServerFile.stateDirectory(invocation));
        }
        builder.callsPerSecond((int) arguments.number(RATE, 1, 1_000_000, 0));
        try {
            return builder.start();
        } catch (IllegalArgumentException e) {
            throw new UsageException("cannot listen on " + address.getHostString() + ": " + e.getMessage(), e);
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw new StoreUnavailableException("the certificate or its key cannot be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "cannot listen on port " + address.getPort() + " of "
                            + address.getAddress().getHostAddress() + ": " + e.getMessage()
                            + ". Another program may use the port; name another one with --listen HOST:PORT",
                    e);
        }
    }

    private static void useCertificate(LeaseholdServer.Builder builder, Arguments arguments) {
        String certificate = arguments.text(TLS_CERT);
        String key = arguments.text(TLS_KEY);
        String keystore = arguments.text(TLS_KEYSTORE);
        String password = arguments.text(TLS_PASSWORD_FILE);
        if ((certificate == null) != (key == null)) {
            throw new UsageException("--tls-cert and --tls-key belong together");
        }
        if ((keystore == null) != (password == null)) {
            throw new UsageException("--tls-keystore and --tls-password-file belong together");
        }
        if (keystore == null && arguments.has(TLS_ALIAS)) {
            throw new UsageException("--tls-alias belongs to --tls-keystore");
        }
        if (keystore != null && certificate != null) {
            throw new UsageException("the certificate is either in PEM files or in a keystore, not in both");
        }
        if (certificate != null && key != null) {
            builder.tls(FileTargets.parse("--tls-cert", certificate), FileTargets.parse("--tls-key", key));
        }
        if (keystore != null && password != null) {
            builder.keystore(
                    FileTargets.parse("--tls-keystore", keystore),
                    FileTargets.parse("--tls-password-file", password),
                    arguments.text(TLS_ALIAS));
        }
    }

    /** A terminal that is closed, or a user's signal, does not stop a server. */
    static void awaitStop(BlockingQueue<String> signals) throws InterruptedException {
        String signal = signals.take();
        while (!signal.equals("TERM") && !signal.equals("INT")) {
            signal = signals.take();
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 0 && port <= 65535) {
                return new InetSocketAddress(InetAddress.getAllByName(host)[0], port);
            }
        } catch (NumberFormatException e) {
            // Reported below.
        } catch (UnknownHostException e) {
            throw new UsageException("--listen: no such host: '" + host + "'", e);
        }
        throw new UsageException(
                "--listen takes a host and a port, such as " + DEFAULT + " or [::1]:0, not '" + text + "'");
    }
}
