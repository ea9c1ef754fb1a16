package dev.leasehold.git;

import static dev.leasehold.git.GitFenceTest.grant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed while it receives a push, before each of its system calls that changes
 * a ref.
 *
 * <p>Git guarantees little here: it renames the refs of an atomic push one after the other, and the
 * locks of a dead server stay until an operator removes them. A fence that was raised before the
 * work is still never below its branch. A fence that was not raised may be below its branch, but is
 * then locked.
 *
 * <p>Apart from locking and renaming refs, the server only stores objects, which are not visible
 * yet, and creates and removes directories. Of these steps the default build tries one; {@code
 * -Dleasehold.crash.full=true} tries all.
 */
@Requires({"git", "strace"})
class GitServerKillTest {
    private static final String CALLS = "openat,link,unlink,rename,mkdir,rmdir";
    private static final boolean FULL = Boolean.getBoolean("leasehold.crash.full");
    private static final Pattern CALL = Pattern.compile("^(\\w+)\\((.*)$");

    @TempDir
    Path directory;

    private Repositories repositories;
    private Path work;
    private String old;
    private String fresh;

    /** @param ordinal counts the server's calls of this name */
    private record Point(String name, int ordinal, String text) {}

    @BeforeEach
    void repositories() {
        repositories = new Repositories(directory);
        Path first = repositories.bare("first.git");
        work = repositories.working("work", first);
        Path ssh = directory.resolve("ssh");
        // A stand-in for ssh that ignores the host, and an operator who saves the leftovers of a
        // dead server and removes its locks.
        Repositories.write(
                ssh,
                """
                #!/bin/sh
                for last; do :; done
                case "$last" in git-receive-pack*) [ -e %1$s/armed ] || exec sh -c "$last" ;; *) exec sh -c "$last" ;; esac
                inject=$(cat %1$s/armed)
                rm %1$s/armed
                strace -qq -s 300 -o %1$s/trace -e trace=%2$s $inject sh -c "exec $last"
                code=$?
                target=${last#*\\'}
                target=${target%%\\'}
                cp -R "$target" %1$s/dead.git
                find "$target" -name '*.lock' -exec rm {} +
                exit $code
                """
                        .formatted(directory, CALLS));
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        repositories.env("GIT_SSH_COMMAND", ssh.toString());
        old = repositories.ref(work, "main");
        assertThat(fence(first).admit(grant(1), GitPush.of("main"))).isInstanceOf(Admission.Admitted.class);
        assertThat(fence(first).raise(grant(2))).isInstanceOf(Admission.Admitted.class);
        fresh = repositories.commit(work, "second");
    }

    @Test
    void aFenceThatWasRaisedBeforeIsNeverBelowItsBranch() throws Exception {
        assertThat(killedAtEachPoint(2))
                .as("points after which the branch had moved")
                .isPositive();
    }

    @Test
    void aFenceThatWasNotRaisedIsLockedIfItIsBelowItsBranch() throws Exception {
        killedAtEachPoint(3);
    }

    /** Returns at how many points the server had moved the branch before it died. */
    private int killedAtEachPoint(long token) throws IOException {
        arm("");
        assertThat(push(copied("undisturbed.git"), token)).isInstanceOf(Admission.Admitted.class);
        List<Point> points = points();
        assertThat(points).as("the branch").anyMatch(point -> isRenameTo(point, "refs/heads/main\""));
        assertThat(points).as("the fence").anyMatch(point -> isRenameTo(point, GitFenceTest.FENCE + "\""));
        int moved = 0;
        for (int i = 0; i < points.size(); i++) {
            moved += killedAt(points.get(i), copied("run-" + i + ".git"), token) ? 1 : 0;
        }
        return moved;
    }

    /** Returns whether the branch had moved when the server was dead. */
    private boolean killedAt(Point point, Path target, long token) throws IOException {
        arm("-e inject=" + point.name + ":signal=KILL:when=" + point.ordinal);
        try {
            assertThat(push(target, token)).as("%s", point).isInstanceOf(Admission.Admitted.class);
        } catch (TargetUnavailableException e) {
            // The result is checked below.
        }
        assertThat(Files.readString(directory.resolve("trace"))).as("%s", point).contains("killed by SIGKILL");
        Path dead = directory.resolve("dead.git");
        boolean moved = repositories.ref(dead, "main").equals(fresh);
        assertThat(moved || repositories.ref(dead, "main").equals(old))
                .as("%s", point)
                .isTrue();
        boolean below =
                fence(dead).state(grant(2).name()).orElseThrow().raised().value() < token;
        if (moved && below) {
            assertThat(token).as("raised before, %s", point).isEqualTo(3);
            assertThat(dead.resolve(GitFenceTest.FENCE + ".lock"))
                    .as("%s", point)
                    .exists();
        }
        assertThat(push(target, token)).as("%s", point).isInstanceOf(Admission.Admitted.class);
        assertThat(push(target, token - 1)).as("%s", point).isInstanceOf(Admission.Stale.class);
        assertThat(repositories.ref(target, "main")).as("%s", point).isEqualTo(fresh);
        repositories.requireSound(target);
        return moved;
    }

    private Admission push(Path target, long token) {
        return fence(target).admit(grant(token), GitPush.of("main"));
    }

    private static boolean isRenameTo(Point point, String end) {
        return point.name.equals("rename") && point.text.contains(end);
    }

    private void arm(String inject) {
        repositories.run(directory, List.of("rm", "-rf", "dead.git"));
        Repositories.write(directory.resolve("armed"), inject + "\n");
    }

    private GitFence fence(Path target) {
        return GitFence.at(work, "ssh://git@host" + target).with(repositories.environment(), notice -> {});
    }

    private Path copied(String name) {
        assertThat(repositories
                        .run(directory, List.of("cp", "-R", "first.git", name))
                        .code())
                .isZero();
        return directory.resolve(name);
    }

    private List<Point> points() throws IOException {
        List<Point> points = new ArrayList<>();
        Map<String, Integer> counts = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("trace"))) {
            Matcher matcher = CALL.matcher(line);
            if (matcher.matches()) {
                String name = matcher.group(1);
                int ordinal = counts.merge(name, 1, Integer::sum);
                boolean changes = !name.equals("openat") || line.contains("O_CREAT");
                boolean ofRefs = line.contains("/refs/") && (name.equals("openat") || name.equals("rename"));
                if (changes && (FULL || ofRefs || points.isEmpty())) {
                    points.add(new Point(name, ordinal, matcher.group(2)));
                }
            }
        }
        return points;
    }
}
