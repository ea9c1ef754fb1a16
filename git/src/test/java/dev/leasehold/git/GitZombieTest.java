package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Concurrent pushes, and pushes of a process that was frozen until its token was stale. */
@Requires("git")
class GitZombieTest extends WithRemote {
    private static final int RACERS = 4;
    private static final int ROUNDS = 40;

    private final ExecutorService threads = Executors.newFixedThreadPool(RACERS);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private GitFence client(Path from) {
        return GitFence.at(from, target.toString()).with(repositories.environment(), notice -> {});
    }

    /**
     * The process is frozen in its pre-push hook, after git has read the remote's refs and before
     * it sends anything.
     */
    @Test
    void aZombieThatWasFrozenDuringItsPushIsRefusedAsAWhole() throws Exception {
        Path frozen = directory.resolve("frozen");
        repositories.hook(
                work.resolve(".git"),
                "pre-push",
                "echo $PPID > " + frozen + ".new && mv " + frozen + ".new " + frozen + " && kill -STOP $PPID\n");
        client(work).raise(grant(1));
        Future<Admission> zombie =
                threads.submit(() -> client(work).admit(grant(1), GitPush.of("main", "main:refs/heads/second")));
        await(frozen);
        String pid = Files.readString(frozen).strip();
        try {
            Path elsewhere = repositories.working("elsewhere", target);
            String newer = repositories.commit(elsewhere, "of the successor");
            GitFence successor = client(elsewhere);
            assertThat(successor.raise(grant(2))).isInstanceOf(Admission.Admitted.class);
            assertThat(successor.admit(grant(2), GitPush.of("main"))).isInstanceOf(Admission.Admitted.class);
            assertThat(zombie.isDone()).isFalse();
            signal("CONT", pid);

            assertThat(zombie.get(30, TimeUnit.SECONDS)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(2)));
            assertThat(repositories.ref(target, "main")).isEqualTo(newer);
            assertThat(repositories.ref(target, "second"))
                    .as("nothing of the push landed")
                    .isEmpty();
        } finally {
            signal("CONT", pid);
        }
    }

    /** A raise alone is enough to refuse a forced push, which the server would otherwise accept. */
    @Test
    void aZombieThatForcesIsRefusedAfterARaise() throws Exception {
        Path frozen = directory.resolve("frozen");
        client(work).admit(grant(1), GitPush.of("main"));
        String first = repositories.ref(target, "main");
        repositories.commit(work, "late");
        repositories.hook(
                work.resolve(".git"),
                "pre-push",
                "echo $PPID > " + frozen + ".new && mv " + frozen + ".new " + frozen + " && kill -STOP $PPID\n");
        Future<Admission> zombie = threads.submit(() -> client(work).admit(grant(1), GitPush.of("+main")));
        await(frozen);
        String pid = Files.readString(frozen).strip();
        try {
            client(directory).raise(grant(2));
            signal("CONT", pid);

            assertThat(zombie.get(30, TimeUnit.SECONDS)).isInstanceOf(Admission.Stale.class);
            assertThat(repositories.ref(target, "main")).isEqualTo(first);
        } finally {
            signal("CONT", pid);
        }
    }

    /**
     * All racers of a round push a child of the same commit, each with its own token, so only one
     * can win.
     */
    @Test
    void oneOfManyRacersWinsAndTheFenceIsItsOwn() throws Exception {
        List<GitFence> racers = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            racers.add(client(work));
        }
        racers.get(0).admit(grant(1), GitPush.of("main"));
        String tip = repositories.ref(work, "main");
        String tree = repositories.git(work, "rev-parse", "main^{tree}");
        for (int round = 1; round <= ROUNDS; round++) {
            List<Future<Admission>> answers = new ArrayList<>();
            List<String> commits = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                commits.add(repositories.git(work, "commit-tree", "-p", tip, "-m", round + " " + i, tree));
            }
            long token = (long) round * RACERS;
            for (int i = 0; i < RACERS; i++) {
                GitFence racer = racers.get(i);
                GitPush push = GitPush.of(commits.get(i) + ":refs/heads/main");
                long own = token + i;
                answers.add(threads.submit(() -> racer.admit(grant(own), push)));
            }
            int winner = winnerOf(answers);
            tip = repositories.ref(target, "main");
            assertThat(tip).as("round %d", round).isEqualTo(commits.get(winner));
            assertThat(repositories.git(target, "log", "-1", "--format=%B", "refs/leasehold/job"))
                    .as("round %d", round)
                    .contains("raised=" + (token + winner) + "\n");
        }
        repositories.requireSound(target);
    }

    private static int winnerOf(List<Future<Admission>> answers) throws Exception {
        List<Integer> winners = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            Admission answer = answers.get(i).get(60, TimeUnit.SECONDS);
            if (answer instanceof Admission.Admitted) {
                winners.add(i);
            } else {
                assertThat(answer).isInstanceOfAny(Admission.Stale.class, Admission.Rejected.class);
            }
        }
        assertThat(winners).hasSize(1);
        return winners.get(0);
    }

    static void await(Path file) throws InterruptedException {
        for (int i = 0; i < 1500 && !Files.exists(file); i++) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(file).exists();
    }

    private static void signal(String name, String pid) throws Exception {
        new ProcessBuilder("kill", "-" + name, pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
