package dev.leasehold.git;

import dev.leasehold.internal.Secrets;
import java.nio.file.Path;
import java.util.List;

/**
 * The repository that a remote names.
 *
 * @param given what the user wrote: a configured remote, a URL or a path
 * @param url where pushes go
 */
record RemoteAddress(String given, boolean configured, String url) {
    private static final int MAX_LENGTH = 4096;

    /**
     * @throws IllegalArgumentException if this cannot be a remote, or names several repositories
     */
    static RemoteAddress resolve(Git git, GitSettings settings, String given) {
        requireSane(given);
        List<String> urls = settings.pushUrls(given);
        if (urls.size() > 1) {
            throw new IllegalArgumentException(
                    shown(given) + " has " + urls.size() + " push URLs: a fence can guard one"
                            + " repository only, and no push is atomic across several. Name one of them by its URL");
        }
        String url = urls.get(0);
        if (url.startsWith("ftp://") || url.startsWith("ftps://")) {
            throw new IllegalArgumentException(shown(url) + " cannot be pushed to in one atomic step");
        }
        return new RemoteAddress(given, settings.isRemote(given), isRelativePath(url) ? absolute(git, url) : url);
    }

    private static void requireSane(String given) {
        if (given.isEmpty() || given.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("the remote is " + (given.isEmpty() ? "empty" : "too long"));
        }
        if (given.startsWith("-")) {
            throw new IllegalArgumentException(
                    "the remote " + shown(given) + " looks like an option: name a remote, a URL or a path");
        }
        for (int i = 0; i < given.length(); i++) {
            if (given.charAt(i) < 0x20 || given.charAt(i) == 0x7f) {
                throw new IllegalArgumentException("the remote has a control character at position " + (i + 1));
            }
        }
    }

    /** The remote as the user wrote it, without passwords. */
    String shown() {
        return shown(given);
    }

    private static String shown(String text) {
        return Secrets.withoutPassword(text);
    }

    /** A text of git or the server, without the passwords of this remote. */
    String hideSecretsIn(String words) {
        return Secrets.hide(Secrets.hide(words, Secrets.in(url)), Secrets.in(given));
    }

    boolean isHttp() {
        return url.startsWith("http://") || url.startsWith("https://");
    }

    private static boolean isRelativePath(String url) {
        int colon = url.indexOf(':');
        int slash = url.indexOf('/');
        boolean host = colon > 0 && (slash < 0 || colon < slash);
        return !host && slash != 0;
    }

    /**
     * Git resolves a relative path against the top of the working tree, not against the
     * current directory.
     */
    private static String absolute(Git git, String url) {
        Git.Result answer = git.here("rev-parse", "--show-cdup").inEnglish().run();
        Path base = git.directory().resolve(answer.ok() ? answer.out().strip() : "");
        return base.resolve(url).normalize().toString();
    }
}
