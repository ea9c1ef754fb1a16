package dev.leasehold.git;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.model.LeaseName;
import java.util.List;

/** Commits and refs of a git remote, to which many can push. */
public final class GitFuzzTargets {
    private static final String ID = "0123456789012345678901234567890123456789";
    private static final String COMMIT =
            """
            tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
            author Leasehold <leasehold@localhost> 1700000000 +0000
            committer Leasehold <leasehold@localhost> 1700000000 +0000

            leasehold fence 1
            name=nightly
            store=store-0001
            raised=42
            attempt=attempt-0001
            step=7
            nonce=abc
            """;

    private GitFuzzTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("git fence", IllegalArgumentException.class, GitFuzzTargets::commit, COMMIT),
                FuzzTarget.of(
                        "git ref",
                        IllegalArgumentException.class,
                        GitFuzzTargets::ref,
                        "nightly",
                        "Team/A.b:c@d-e",
                        "a".repeat(200)));
    }

    private static void commit(String text) {
        FenceCommit commit = FenceCommit.parse(ID, text);
        String next = FenceCommit.next(commit, ID, commit.state(), "nonce", 1);
        FuzzTarget.requireSame(commit.state(), FenceCommit.parse(ID, next).state());
    }

    /** Two names never share a ref, and no ref contains what git forbids or a file system folds. */
    private static void ref(String text) {
        LeaseName name = LeaseName.of(text);
        String ref = FenceRef.of(name).primary();
        FuzzTarget.requireSame(name, FenceRef.nameOf(ref));
        FuzzTarget.requireSame("", ref.replaceAll("[a-z0-9/%+_-]", ""));
        FuzzTarget.requireBelow(ref.length(), 3L * text.length() + 40);
    }
}
