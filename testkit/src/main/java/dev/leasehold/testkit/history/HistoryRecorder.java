package dev.leasehold.testkit.history;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.history.LeaseCall.Answer;
import dev.leasehold.testkit.history.LeaseCall.Kind;
import dev.leasehold.testkit.history.LeaseCall.Word;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls random operations on one name and records what each client saw. Clients share their grants,
 * so that some act on stale ones.
 */
final class HistoryRecorder {
    private static final Note REASON = Note.of("for the history");

    private final LeaseName name;
    private final Duration ttl;
    private final long longestPause;
    private final ConcurrentLinkedQueue<LeaseCall> calls = new ConcurrentLinkedQueue<>();
    private final List<Grant> grants = new ArrayList<>();

    /**
     * @param longestPause the longest pause of a client, in milliseconds; if it is longer than the
     *     ttl, leases expire
     */
    HistoryRecorder(LeaseName name, Duration ttl, long longestPause) {
        this.name = name;
        this.ttl = ttl;
        this.longestPause = longestPause;
    }

    List<LeaseCall> calls() {
        return List.copyOf(calls);
    }

    /**
     * The calls of one client. Some answers are lost; a retry with the same attempt must recover
     * from that.
     */
    void play(int client, LeaseStore store, Random random, int steps) throws InterruptedException {
        AttemptId attempt = AttemptId.of("attempt-" + client + "-first");
        for (int i = 0; i < steps; i++) {
            Kind kind = draw(random);
            Grant grant = anyGrant(random);
            boolean loseAnswer = random.nextInt(10) == 0;
            if (kind == Kind.TAKEOVER) {
                takeover(client, store, AttemptId.of("attempt-" + client + "-over-" + i), loseAnswer);
            } else if (kind == Kind.ACQUIRE || grant == null) {
                boolean answered = acquire(client, store, attempt, loseAnswer);
                if (answered || random.nextBoolean()) {
                    attempt = AttemptId.of("attempt-" + client + "-" + i);
                }
            } else if (kind == Kind.RENEW) {
                renew(client, store, grant, loseAnswer);
            } else {
                release(client, store, grant, loseAnswer);
            }
            if (random.nextInt(4) == 0) {
                Thread.sleep(random.nextLong(longestPause));
            }
        }
    }

    private static Kind draw(Random random) {
        int chance = random.nextInt(20);
        return chance < 8 ? Kind.ACQUIRE : chance < 13 ? Kind.RENEW : chance < 19 ? Kind.RELEASE : Kind.TAKEOVER;
    }

    /** Mostly the latest grant. */
    private @Nullable Grant anyGrant(Random random) {
        synchronized (grants) {
            if (grants.isEmpty()) {
                return null;
            }
            return grants.get(random.nextInt(4) > 0 ? grants.size() - 1 : random.nextInt(grants.size()));
        }
    }

    private boolean acquire(int client, LeaseStore store, AttemptId attempt, boolean loseAnswer) {
        return call(client, Kind.ACQUIRE, attempt, 0, ttl, loseAnswer, () -> {
            Acquisition answer = store.acquire(name, attempt, Holder.of("client " + client), ttl);
            return answerOf(answer, loseAnswer);
        });
    }

    private void takeover(int client, LeaseStore store, AttemptId attempt, boolean loseAnswer) {
        Holder holder = Holder.of("client " + client);
        call(client, Kind.TAKEOVER, attempt, 0, ttl, loseAnswer, () -> {
            Acquisition answer = store.intervene(Intervention.takeover(name, attempt, holder, ttl, REASON));
            return answerOf(answer, loseAnswer);
        });
    }

    private Answer answerOf(Acquisition answer, boolean loseAnswer) {
        if (answer instanceof Acquisition.Granted granted) {
            if (!loseAnswer) {
                synchronized (grants) {
                    grants.add(granted.grant());
                }
            }
            return new Answer(Word.GRANTED, granted.grant().token().value());
        }
        return answer instanceof Acquisition.Busy busy
                ? new Answer(Word.BUSY, busy.token().value())
                : Answer.of(Word.SPENT);
    }

    private void renew(int client, LeaseStore store, Grant grant, boolean loseAnswer) {
        call(client, Kind.RENEW, attemptOf(grant), grant.token().value(), ttl, loseAnswer, () -> {
            Renewal answer = store.renew(List.of(new RenewRequest(grant, ttl))).get(0);
            if (answer instanceof Renewal.NotRenewed not) {
                return answerOf(not.loss());
            }
            if (answer instanceof Renewal.Unknown unknown) {
                throw new StoreUnavailableException(unknown.why());
            }
            return Answer.of(Word.RENEWED);
        });
    }

    private void release(int client, LeaseStore store, Grant grant, boolean loseAnswer) {
        call(client, Kind.RELEASE, attemptOf(grant), grant.token().value(), Duration.ZERO, loseAnswer, () -> {
            Release answer = store.release(grant, Duration.ZERO);
            if (answer instanceof Release.NotCurrent not) {
                return answerOf(not.loss());
            }
            return Answer.of(answer instanceof Release.Released ? Word.RELEASED : Word.ALREADY_RELEASED);
        });
    }

    private static Answer answerOf(Loss loss) {
        if (loss instanceof Loss.Superseded superseded) {
            return new Answer(Word.SUPERSEDED, superseded.by().token().value());
        }
        if (loss instanceof Loss.Lapsed) {
            return Answer.of(Word.LAPSED);
        }
        return Answer.of(loss instanceof Loss.Released ? Word.ALREADY_RELEASED : Word.FORGOTTEN);
    }

    private static AttemptId attemptOf(Grant grant) {
        AttemptId attempt = grant.attempt();
        if (attempt == null) {
            throw new IllegalStateException("expected a grant with an attempt id, got " + grant);
        }
        return attempt;
    }

    /** Returns whether the call was answered. */
    private boolean call(
            int client,
            Kind kind,
            AttemptId attempt,
            long token,
            Duration asked,
            boolean loseAnswer,
            Supplier<Answer> body) {
        long began = System.nanoTime();
        Answer answer;
        try {
            answer = body.get();
        } catch (StoreUnavailableException e) {
            answer = null;
        }
        long ended = System.nanoTime();
        LeaseCall call = new LeaseCall(client, kind, attempt.value(), token, asked.toNanos(), began, ended, answer);
        boolean answered = answer != null && !loseAnswer;
        calls.add(answered ? call : call.unanswered());
        return answered;
    }
}
