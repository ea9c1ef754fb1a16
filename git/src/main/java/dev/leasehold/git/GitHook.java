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
 * A hook for repositories that you own. It makes the server require the fence, so that a plain
 * {@code git push} is refused, too. Git 2.28 and later run it inside the transaction that moves
 * refs, after the refs are locked and before they are written, so what the hook sees cannot change.
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
     * What the hook requires.
     *
     * @param lease the lease whose fence must move; null if the fence of any lease is enough
     * @param patterns the protected refs
     */
    public record Rules(@Nullable LeaseName lease, List<String> patterns) {}

    /**
     * @throws IllegalArgumentException if this is not a repository, or it shares its hooks with
     *     other repositories
     */
    public static GitHook of(Path repository, Map<String, String> environment) {
        if (!Files.isDirectory(repository)) {
            throw new IllegalArgumentException(
                    repository + " is not a directory: name the repository that is pushed to");
        }
        try (PrivateRepository scratch = PrivateRepository.create()) {
            Git git = new Git(repository, Git.withoutRepository(environment), scratch.scratch());
            Git.Result answer = git.here("rev-parse", "--absolute-git-dir", "--git-common-dir", "--git-path", "hooks")
                    .inEnglish()
                    .run();
            List<String> lines = answer.out().lines().toList();
            if (!answer.ok() || lines.size() != 3) {
                throw new IllegalArgumentException(repository + " is not a git repository: " + answer.message());
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
            throw new IllegalArgumentException("this git is " + version[0] + "." + version[1] + ", which does not run "
                    + NAME + " hooks: 2.28 or later is needed");
        }
    }

    /** The file of the hook, whether it is installed or not. */
    public Path file() {
        return hooks.resolve(NAME);
    }

    private Path previous() {
        return hooks.resolve(NAME + ".before-leasehold");
    }

    /**
     * Installs the hook or changes its rules.
     *
     * @param patterns the protected refs; empty for all branches
     * @return the hook that was installed before, which this hook calls
     */
    public Optional<Path> install(@Nullable LeaseName lease, List<String> patterns) {
        List<String> chosen = patterns.isEmpty() ? List.of("refs/heads/*") : patterns;
        chosen.forEach(GitHook::requirePattern);
        try {
            Files.createDirectories(hooks);
            boolean another = Disk.exists(file()) && status().isEmpty();
            if (another && Disk.exists(previous())) {
                throw new IllegalArgumentException("there are two other hooks, " + file() + " and " + previous()
                        + ": nothing was changed. Merge them into one first");
            }
            Path made = Files.writeString(hooks.resolve(NAME + ".new"), script(lease, chosen));
            if (!made.toFile().setExecutable(true, false)) {
                throw new IOException("cannot make " + made + " executable");
            }
            if (another) {
                Files.move(file(), previous(), StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(made, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return Disk.exists(previous()) ? Optional.of(previous()) : Optional.empty();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Removes the hook and restores the previous one. Returns false if the hook was not installed.
     */
    public boolean uninstall() {
        if (status().isEmpty()) {
            return false;
        }
        try {
            if (Disk.exists(previous())) {
                Files.move(previous(), file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(file());
            }
            return true;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The rules of the hook; empty if it is not installed. */
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
        throw new IllegalArgumentException("the hook was edited by hand: it has no line '" + start + "'");
    }

    /** The pattern becomes part of a shell script, so it must not contain shell syntax. */
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
