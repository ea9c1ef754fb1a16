package dev.leasehold.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the name service about hosts, to explain a failure. A name service that is down keeps a caller waiting for up to a
 * minute per name, so all names are asked for at the same time, on threads of their own, and not for long. While a name
 * has no answer, it is not asked for again.
 */
final class SystemNameService {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final SystemNameService SYSTEM = new SystemNameService(InetAddress::getByName, PATIENCE);

    private final Resolver resolver;
    private final Duration patience;
    private final Map<String, CompletableFuture<Boolean>> asked = new ConcurrentHashMap<>();

    /** As {@link InetAddress#getByName} does. */
    interface Resolver {
        Object find(String name) throws UnknownHostException;
    }

    SystemNameService(Resolver resolver, Duration patience) {
        this.resolver = resolver;
        this.patience = patience;
    }

    /** Why none of the hosts can be found, as the second half of a sentence; null if one of them can, or if nobody can ask. */
    static @Nullable String unknown(List<String> names) {
        try {
            return SYSTEM.explain(names);
        } catch (OutOfMemoryError noThread) {
            return null;
        }
    }

    @Nullable
    String explain(List<String> names) {
        Map<String, CompletableFuture<Boolean>> silent = new LinkedHashMap<>();
        for (String name : names) {
            silent.put(name, ask(name));
        }
        long end = System.nanoTime() + patience.toNanos();
        while (awaitOne(silent.values(), end)) {
            if (silent.values().stream().anyMatch(answer -> answer.getNow(false))) {
                return null;
            }
            silent.values().removeIf(CompletableFuture::isDone);
        }
        return silent.isEmpty()
                ? "cannot be found, because no host has the name " + String.join(" or ", names)
                        + "; nothing was sent. Correct the host in the URL, or check the name service of this machine"
                : "cannot be found, because the name service of this machine did not answer within "
                        + patience.toMillis() + " ms when it was asked for " + String.join(" and ", silent.keySet())
                        + "; nothing was sent. Check the name service and the network";
    }

    private CompletableFuture<Boolean> ask(String name) {
        return asked.computeIfAbsent(name, unanswered -> {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Thread thread = new Thread(() -> answer(name, answer), "leasehold-name-service");
            thread.setDaemon(true);
            thread.start();
            return answer;
        });
    }

    private void answer(String name, CompletableFuture<Boolean> answer) {
        boolean known = false;
        try {
            resolver.find(name);
            known = true;
        } catch (UnknownHostException e) {
            // The answer is no.
        } finally {
            asked.remove(name);
            answer.complete(known);
        }
    }

    /** False if there is no answer in time, or none to wait for. Waits through interrupts, as the failed call did. */
    private static boolean awaitOne(Collection<CompletableFuture<Boolean>> answers, long end) {
        if (answers.isEmpty()) {
            return false;
        }
        CompletableFuture<Object> first = CompletableFuture.anyOf(answers.toArray(CompletableFuture[]::new));
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    first.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return false;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("an answer is yes or no", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
