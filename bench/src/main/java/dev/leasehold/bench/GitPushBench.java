package dev.leasehold.bench;

import dev.leasehold.git.GitFence;
import dev.leasehold.git.GitPush;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A fenced push of one commit to a local bare repository against a plain push. */
final class GitPushBench {
    private static final int COMMITS = 120;

    private final Path directory;

    private GitPushBench(Path directory) {
        this.directory = directory;
    }

    static void run(Path directory) throws Exception {
        new GitPushBench(directory).run();
    }

    private void run() throws Exception {
        git("init", "--quiet", "--bare", "target.git");
        git("init", "--quiet", "--initial-branch=main", ".");
        git("remote", "add", "origin", directory.resolve("target.git").toString());
        Deque<String> commits = commits();
        GitFence fence = GitFence.at(directory, "origin");
        Grant grant = Grant.bare(LeaseName.of("bench"), FencingToken.of(1));
        fence.raise(grant);
        new Comparison("push one commit to a local bare repository", 1, 20)
                .add("git push", times -> git("push", "--quiet", "origin", commits.pop() + ":refs/heads/plain"))
                .add("GitFence.admit", times -> fence.admit(grant, GitPush.of(commits.pop() + ":refs/heads/fenced")))
                .add(
                        "leasehold push, including JVM start",
                        times -> run(List.of(
                                Path.of("leasehold").toAbsolutePath().toString(),
                                "push",
                                "--quiet",
                                "origin",
                                commits.pop() + ":refs/heads/command",
                                "--name",
                                "command",
                                "--token",
                                "1")))
                .run();
    }

    private Deque<String> commits() throws IOException, InterruptedException {
        String tree = git("mktree");
        Deque<String> commits = new ArrayDeque<>();
        String parent = identified("commit-tree", "-m", "0", tree);
        for (int i = 1; i <= COMMITS; i++) {
            parent = identified("commit-tree", "-m", Integer.toString(i), "-p", parent, tree);
            commits.addLast(parent);
        }
        return commits;
    }

    private String identified(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("-c", "user.name=bench", "-c", "user.email=bench@localhost"));
        line.addAll(List.of(words));
        return git(line.toArray(String[]::new));
    }

    private String git(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        return run(line);
    }

    private String run(List<String> line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(line + " ended with " + process.exitValue());
        }
        return out.strip();
    }
}
