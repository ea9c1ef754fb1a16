package dev.leasehold.redis;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Text;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.DateTimeException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Translates failures into what they mean and what to do. Server messages are quoted only after the
 * credentials are removed, and exceptions of the client library are not kept as causes, because
 * their messages may contain credentials.
 */
final class RedisFailures {
    private static final String UNKNOWN = "; it is unknown whether the operation took effect. ";
    private static final String WAIT = "Check the server and the network, or allow more time with ?timeout=...";
    private static final String CHECK = "Check that the server is running and that the URL has the right host and port";

    private final RedisAddress address;
    private final Supplier<@Nullable MovedStore> moved;

    /** @param moved asks where the store went; null if it is here */
    RedisFailures(RedisAddress address, Supplier<@Nullable MovedStore> moved) {
        this.address = address;
        this.moved = moved;
    }

    RuntimeException explain(JedisException failure) {
        if (failure instanceof JedisConnectionException) {
            return unanswered(failure);
        }
        RuntimeException refused = refused(unwrapped(String.valueOf(failure.getMessage())));
        return refused instanceof StoreCorruptException corrupt ? orMoved(corrupt) : refused;
    }

    /** A store that was moved has texts in place of its records. */
    private RuntimeException orMoved(StoreCorruptException damage) {
        MovedStore where = moved.get();
        return where == null ? damage : where.exception();
    }

    /**
     * A record that no Leasehold script wrote. Another program changed it, so an operator has to
     * decide.
     */
    StoreCorruptException notWrittenByLeasehold(String detail) {
        return new StoreCorruptException(address.server() + " has a record in namespace " + address.namespace()
                + " that Leasehold did not write" + detail
                + ". Restore it from a backup, or choose another namespace with ?ns=...");
    }

    /** Parses an answer. An answer that cannot be parsed was not written by a Leasehold script. */
    <T> T parsed(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException | ArithmeticException e) {
            throw orMoved(notWrittenByLeasehold(": " + scrubbed(String.valueOf(e.getMessage()))));
        }
    }

    StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(address.server() + " " + what);
    }

    /** A connection for this command could not be opened, and nothing was sent before. */
    StoreUnavailableException notConnected(JedisException failure) {
        Throwable root = rootOf(failure);
        String said = scrubbed(String.valueOf(root.getMessage()));
        boolean silent = root instanceof SocketTimeoutException;
        if (root instanceof CertificateException || root instanceof CertPathBuilderException) {
            return untrusted(said);
        }
        if (address.tls() && (silent || root instanceof SSLException || root instanceof EOFException)) {
            return unavailable("does not speak TLS at this port (" + said + "); nothing was sent. Use "
                    + address.schemeWithoutTls() + "://, or the port for TLS");
        }
        if (root instanceof UnknownHostException) {
            return unavailable("cannot be found, because no host has the name " + address.host()
                    + "; nothing was sent. Correct the host in the URL, or check the name service of this machine");
        }
        return silent
                ? unavailable(
                        "did not answer within " + address.timeout().toMillis() + " ms; nothing was sent. " + WAIT)
                : unavailable("cannot be reached (" + said + "); nothing was sent. " + CHECK);
    }

    private StoreUnavailableException untrusted(String said) {
        return unavailable("has no trusted TLS certificate (" + said + "); nothing was sent. The certificate must"
                + " name this host and be signed by a trusted authority; add your own authority with ?ca=file.pem");
    }

    private StoreUnavailableException unanswered(JedisException failure) {
        Throwable root = rootOf(failure);
        String said = scrubbed(String.valueOf(root.getMessage()));
        if (root instanceof GeneralSecurityException || root instanceof SSLException) {
            return untrusted(said);
        }
        return root instanceof SocketTimeoutException
                ? unavailable("did not answer within " + address.timeout().toMillis() + " ms" + UNKNOWN + WAIT)
                : unavailable("cannot be reached or closed the connection (" + said + ")" + UNKNOWN + CHECK);
    }

    /** Jedis tries every address of a host and keeps each failure as a suppressed exception. */
    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < 8; depth++) {
            Throwable[] beside = root.getSuppressed();
            Throwable deeper = root.getCause() != null ? root.getCause() : beside.length > 0 ? beside[0] : null;
            if (deeper == null) {
                break;
            }
            root = deeper;
        }
        return root;
    }

    private RuntimeException refused(String error) {
        return error.contains("LEASEHOLD-") ? refusedByScript(error) : refusedByServer(error);
    }

    private RuntimeException refusedByScript(String error) {
        if (error.contains("LEASEHOLD-OTHERSTORE")) {
            return new StoreCorruptException(
                    address.server() + " lost its records while this program was connected, and"
                            + " another program initialized it again: its tokens start over. Nothing was changed. Restore Redis from a"
                            + " backup, or restart this program and raise the counters with: leasehold repair NAME --above T");
        }
        if (error.contains("LEASEHOLD-EXHAUSTED")) {
            return new StoreCorruptException(
                    "this name has used the largest token; nothing was changed. Use another name");
        }
        return error.contains("LEASEHOLD-FOREIGN") ? notWrittenByLeasehold("") : other(error);
    }

    /** The first word of a server error is its kind. */
    private RuntimeException refusedByServer(String error) {
        String kind = error.indexOf(' ') < 0 ? error : error.substring(0, error.indexOf(' '));
        return switch (kind) {
            case "WRONGTYPE" ->
                new StoreCorruptException(address.server() + " has a value of another type under a key of namespace "
                        + address.namespace() + "; nothing was changed. Choose another namespace with ?ns=...");
            case "LOADING" -> unavailable("is still loading its data; nothing was changed, try again in a moment");
            case "BUSY" -> unavailable("is busy with another script; nothing was changed, try again");
            case "READONLY" ->
                unavailable("is a replica and accepts no writes; nothing was changed. Point the URL to the primary");
            case "NOAUTH" ->
                unavailable(
                        "requires a password; nothing was changed. Give it with ?password-file=/path or REDISCLI_AUTH, or"
                                + " in the URL: " + address.scheme() + "://:password@host");
            case "WRONGPASS" ->
                unavailable("rejects this user or password; nothing was changed. Correct "
                        + address.passwordSource().shown());
            case "NOPERM" ->
                unavailable("denies this user a command; nothing was changed. The user needs: +@scripting +@hash"
                        + " +@sortedset +@string +@pubsub +@connection +time +del ~{leasehold:" + address.namespace()
                        + "}:* &{leasehold:" + address.namespace() + "}:* (" + scrubbed(error) + ")");
            case "MOVED", "ASK" ->
                unavailable("is a node of a cluster and does not hold namespace " + address.namespace()
                        + "; nothing was changed. Point the URL to the node that does: " + node(error));
            case "CLUSTERDOWN" -> unavailable("is a node of a cluster that is down; nothing was changed, try again");
            case "OOM" -> unavailable("is out of memory; nothing was changed. Raise maxmemory");
            case "MISCONF" -> cannotSave(error);
            case "NOREPLICAS", "MASTERDOWN" ->
                unavailable("accepts no writes now; nothing was changed (" + scrubbed(error) + ")");
            default -> other(error);
        };
    }

    private StoreUnavailableException cannotSave(String error) {
        return error.contains("No space left")
                ? unavailable("has no space left on its disk; nothing was changed. Make room on the disk of Redis, and"
                        + " try again")
                : unavailable("cannot save its data, so it accepts no writes now; nothing was changed. Its disk may be"
                        + " full, or its directory may not be writable: see its log (" + scrubbed(error) + ")");
    }

    private RuntimeException other(String error) {
        if (error.contains("user_script:")) {
            return new StoreCorruptException(address.server() + " has a record in namespace " + address.namespace()
                    + " with missing fields, so another program changed it. Restore it from a backup ("
                    + scrubbed(error) + ")");
        }
        return error.contains("called without any password") || error.contains("no password is set")
                ? unavailable("has no password set, but this program was given one; nothing was changed. "
                        + address.passwordSource().removal())
                : error.contains("DB index is out of range")
                        ? unavailable("has no database " + address.database()
                                + "; nothing was changed. Correct the number after"
                                + " the host, or raise 'databases' in the configuration of the server")
                        : unavailable(
                                "answered with an error: " + scrubbed(error) + UNKNOWN + "Check the log of the server");
    }

    private static String node(String moved) {
        String[] words = moved.split(" ", 0);
        return words[words.length - 1];
    }

    /**
     * Before version 7 Redis wraps the error of a command inside a script: {@code ERR ... @user_script:47: WRONGTYPE ...}. If
     * the server refuses a write for its own reasons, a second place is before them: {@code @user_script: 47: -MISCONF ...}.
     */
    private static String unwrapped(String error) {
        String place = "@user_script:";
        int script =
                error.startsWith("ERR Error running script") || error.startsWith(place) ? error.indexOf(place) : -1;
        int end = script < 0 ? -1 : error.indexOf(": ", script + place.length() + 1);
        if (end < 0) {
            return error;
        }
        String inner = error.substring(end + 2);
        if (inner.startsWith("-")) {
            return inner.substring(1);
        }
        return script == 0 ? error : unwrapped(inner);
    }

    private String scrubbed(String text) {
        String clean = Secrets.hide(
                text,
                Stream.of(address.password(), address.user())
                        .filter(Objects::nonNull)
                        .toList());
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < clean.length() && printable.length() < 300; i++) {
            char c = clean.charAt(i);
            printable.append(Text.isPrintable(c) ? c : '?');
        }
        return printable.toString();
    }
}
