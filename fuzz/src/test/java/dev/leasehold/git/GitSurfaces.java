package dev.leasehold.git;

import dev.leasehold.fuzz.Surface;
import dev.leasehold.model.LeaseName;
import java.util.List;

/** What a git remote may hold, where many can push. */
public final class GitSurfaces {
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

    private GitSurfaces() {}

    public static List<Surface> all() {
        return List.of(
                Surface.of("git fence", IllegalArgumentException.class, GitSurfaces::commit, COMMIT),
                Surface.of(
                        "git ref",
                        IllegalArgumentException.class,
                        GitSurfaces::ref,
                        "nightly",
                        "Team/A.b:c@d-e",
                        "a".repeat(200)));
    }

    private static void commit(String text) {
        FenceCommit commit = FenceCommit.parse(ID, text);
        String next = FenceCommit.next(commit, ID, commit.state(), "nonce", 1);
        Surface.requireSame(commit.state(), FenceCommit.parse(ID, next).state());
    }

    /** Two names never share a ref, and no ref has what git forbids or a file system folds. */
    private static void ref(String text) {
        LeaseName name = LeaseName.of(text);
        String ref = FenceRef.of(name).primary();
        Surface.requireSame(name, FenceRef.nameOf(ref));
        Surface.requireSame("", ref.replaceAll("[a-z0-9/%+_-]", ""));
        Surface.requireBelow(ref.length(), 3L * text.length() + 40);
    }
}
