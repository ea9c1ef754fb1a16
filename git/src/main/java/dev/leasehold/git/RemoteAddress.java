package dev.leasehold.git;

import dev.leasehold.internal.Secrets;
import java.nio.file.Path;
import java.util.List;

/**
 * The one repository that a remote stands for.
 *
 * @param given what the user wrote: a configured remote, a URL or a path
 * @param url where pushes go
 */
record RemoteAddress(String given, boolean configured, String url) {
    private static final int MAX_LENGTH = 4096;

    /** @throws IllegalArgumentException if it cannot be a remote, or stands for several */
    static RemoteAddress resolve(Git git, GitSettings settings, String given) {
        requireSane(given);
        List<String> urls = settings.pushUrls(given);
        if (urls.size() > 1) {
            throw new IllegalArgumentException(
                    shown(given) + " has " + urls.size() + " push URLs: a fence can guard one"
                            + " repository, and no push is atomic over several. Name one of them by its URL");
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

    /** For people: without passwords. */
    String shown() {
        return shown(given);
    }

    private static String shown(String text) {
        return Secrets.withoutPassword(text);
    }

    /** What others said about it, without the passwords that they may have repeated. */
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

    /** Git takes a relative path to start at the top of the working tree, wherever in it the user is. */
    private static String absolute(Git git, String url) {
        Git.Answer answer = git.here("rev-parse", "--show-cdup").inEnglish().run();
        Path base = git.directory().resolve(answer.ok() ? answer.out().strip() : "");
        return base.resolve(url).normalize().toString();
    }
}
