package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.LeaseName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A hook for repositories one owns: it makes the server itself ask for the fence, so that a plain {@code git push} is refused
 * too. Git runs it (since 2.28) inside the transaction that moves refs, when they are locked and before they are written:
 * what it sees cannot change any more.
 */
public final class GitHook {
    private static final String NAME = "reference-transaction";
    private static final String MARK = "# leasehold git-hook ";
    private static final String LEASE = "# lease: ";
    private static final String PROTECT = "# protect: ";
    private static final String ANY = "any";

    private final Path hooks;

    private GitHook(Path hooks) {
        this.hooks = hooks;
    }

    /**
     * What the hook asks for.
     *
     * @param lease whose fence must move, or null if any will do
     * @param patterns the refs that it protects
     */
    public record Rules(@Nullable LeaseName lease, List<String> patterns) {}

    /** @throws IllegalArgumentException if there is no repository, or its hooks are shared with others */
    public static GitHook of(Path repository, Map<String, String> environment) {
        if (!Files.isDirectory(repository)) {
            throw new IllegalArgumentException(repository + " is no directory: name the repository that is pushed to");
        }
        try (PrivateRepository scratch = PrivateRepository.create()) {
            Git git = new Git(repository, Git.withoutRepository(environment), scratch.scratch());
            Git.Answer answer = git.here("rev-parse", "--absolute-git-dir", "--git-common-dir", "--git-path", "hooks")
                    .inEnglish()
                    .run();
            List<String> lines = answer.out().lines().toList();
            if (!answer.ok() || lines.size() != 3) {
                throw new IllegalArgumentException(repository + " is not a repository of git: " + answer.words());
            }
            requireTransactionHooks(git);
            Path common = repository.resolve(lines.get(1)).toAbsolutePath().normalize();
            Path hooks = repository.resolve(lines.get(2)).toAbsolutePath().normalize();
            if (!hooks.startsWith(common)) {
                throw new IllegalArgumentException("the hooks of " + repository + " are in " + hooks
                        + ", which may be shared with other repositories (core.hooksPath): nothing was changed. Set"
                        + " core.hooksPath to " + common.resolve("hooks") + " there first");
            }
            return new GitHook(hooks);
        }
    }

    private static void requireTransactionHooks(Git git) {
        int[] version = GitDoctor.version(git);
        if (version[0] < 2 || (version[0] == 2 && version[1] < 28)) {
            throw new IllegalArgumentException("this git is " + version[0] + "." + version[1] + ", and calls no " + NAME
                    + " hooks: 2.28 or later is needed");
        }
    }

    /** Where it is, or would be. */
    public Path file() {
        return hooks.resolve(NAME);
    }

    private Path before() {
        return hooks.resolve(NAME + ".before-leasehold");
    }

    /**
     * Installs it, or changes its rules.
     *
     * @param patterns empty for all branches
     * @return the hook that was there before and is called too
     */
    public Optional<Path> install(@Nullable LeaseName lease, List<String> patterns) {
        List<String> chosen = patterns.isEmpty() ? List.of("refs/heads/*") : patterns;
        chosen.forEach(GitHook::requirePattern);
        try {
            Files.createDirectories(hooks);
            boolean another = Disk.exists(file()) && status().isEmpty();
            if (another && Disk.exists(before())) {
                throw new IllegalArgumentException("there are two other hooks, " + file() + " and " + before()
                        + ": nothing was changed. Make one of them first");
            }
            Path made = Files.writeString(hooks.resolve(NAME + ".new"), script(lease, chosen));
            if (!made.toFile().setExecutable(true, false)) {
                throw new IOException("cannot make " + made + " executable");
            }
            if (another) {
                Files.move(file(), before(), StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(made, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return Disk.exists(before()) ? Optional.of(before()) : Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Takes it away and puts back what was there before. False if it was not there. */
    public boolean uninstall() {
        if (status().isEmpty()) {
            return false;
        }
        try {
            if (Disk.exists(before())) {
                Files.move(before(), file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(file());
            }
            return true;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** What it asks for; empty if it is not installed. */
    public Optional<Rules> status() {
        try {
            if (!Disk.exists(file()) || Files.isDirectory(file())) {
                return Optional.empty();
            }
            List<String> lines = Files.readAllLines(file(), StandardCharsets.ISO_8859_1);
            if (lines.size() < 2 || !lines.get(1).startsWith(MARK)) {
                return Optional.empty();
            }
            String lease = after(LEASE, lines);
            return Optional.of(new Rules(
                    lease.equals(ANY) ? null : LeaseName.of(lease),
                    List.of(after(PROTECT, lines).split(" ", -1))));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static String after(String start, List<String> lines) {
        for (String line : lines) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
        throw new IllegalArgumentException("the hook was changed by hand: it has no line '" + start + "'");
    }

    /** It becomes part of a script, so it may hold nothing that a shell would obey. */
    private static void requirePattern(String pattern) {
        boolean plain = pattern.startsWith("refs/") && pattern.length() <= 200;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            plain &= (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "._/-+*?".indexOf(c) >= 0;
        }
        if (!plain) {
            throw new IllegalArgumentException("a protected ref is written refs/heads/main or refs/heads/release/*,"
                    + " of letters, digits and ._/-+*?");
        }
    }

    private static String script(@Nullable LeaseName lease, List<String> patterns) throws IOException {
        String fences = "*";
        if (lease != null) {
            FenceRef refs = FenceRef.of(lease);
            fences = refs.primary() + " | " + refs.fallback();
        }
        try (InputStream text = GitHook.class.getResourceAsStream(NAME + ".sh")) {
            if (text == null) {
                throw new IOException(NAME + ".sh is missing from this installation");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@LEASE@", lease == null ? ANY : lease.value())
                    .replace("@WHOSE@", lease == null ? "a lease" : lease.value())
                    .replace("@PATTERNS@", String.join(" ", patterns))
                    .replace("@PROTECTED@", String.join(" | ", patterns))
                    .replace("@FENCES@", fences);
        }
    }

    private TargetUnavailableException failed(IOException e) {
        return new TargetUnavailableException(
                "the hook " + file() + " cannot be read or changed: " + e.getMessage(), e);
    }
}
