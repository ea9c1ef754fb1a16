package dev.leasehold.git;

import dev.leasehold.fence.TargetUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Git's effective settings in the user's directory. The private repository gets the same settings;
 * without them it would lack credentials, proxies and keys that are configured for the user's
 * repository only.
 */
final class GitSettings {
    /** Settings that describe the user's repository, or make git do extra work. */
    private static final List<String> NOT_COPIED = List.of(
            "alias.",
            "branch.",
            "core.bare",
            "core.fsmonitor",
            "core.hookspath",
            "core.repositoryformatversion",
            "core.worktree",
            "extensions.",
            "fetch.",
            "gc.",
            "include.",
            "includeif.",
            "maintenance.",
            "push.followtags",
            "push.recursesubmodules",
            "remote.",
            "safe.",
            "submodule.",
            "url.");

    /**
     * The settings of a remote that say how to connect to it. Its default refspecs are not copied.
     */
    private static final List<String> CONNECTION_KEYS =
            List.of("proxy", "proxyauthmethod", "receivepack", "serveroption", "uploadpack", "vcs");

    private static final String REMOTE = "remote.";

    private record Entry(String key, String value) {}

    private final List<Entry> entries = new ArrayList<>();

    static GitSettings read(Git git) {
        Git.Result answer = git.here("config", "-z", "--list").inEnglish().run();
        if (!answer.ok()) {
            throw new TargetUnavailableException("git's settings cannot be read: " + answer.message());
        }
        GitSettings settings = new GitSettings();
        for (String entry : answer.out().split("\0", -1)) {
            int end = entry.indexOf('\n');
            if (!entry.isEmpty()) {
                // A key without a value means true.
                settings.entries.add(
                        end < 0
                                ? new Entry(entry, "true")
                                : new Entry(entry.substring(0, end), entry.substring(end + 1)));
            }
        }
        return settings;
    }

    ObjectFormat objectFormat() {
        String format = last("extensions.objectformat");
        return format == null ? ObjectFormat.SHA1 : ObjectFormat.of(format.toLowerCase(Locale.ROOT));
    }

    /** Whether git is configured to handle submodules on push. */
    boolean checksSubmodules() {
        String push = last("push.recursesubmodules");
        String setting = push == null ? last("submodule.recurse") : push;
        return setting != null && !List.of("no", "false", "off", "0").contains(setting.toLowerCase(Locale.ROOT));
    }

    boolean isRemote(String name) {
        String prefix = "remote." + name + ".";
        return entries.stream().anyMatch(entry -> entry.key.startsWith(prefix));
    }

    /** The names of all remotes that have a setting. */
    List<String> remotes() {
        List<String> names = new ArrayList<>();
        for (Entry entry : entries) {
            int end = entry.key.lastIndexOf('.');
            if (entry.key.startsWith(REMOTE) && end > REMOTE.length()) {
                String name = entry.key.substring(REMOTE.length(), end);
                if (!names.contains(name)) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** The URLs that git would push to for this remote, URL or path. */
    List<String> pushUrls(String remote) {
        List<String> pushUrls = all("remote." + remote + ".pushurl");
        List<String> urls = all("remote." + remote + ".url");
        if (!pushUrls.isEmpty()) {
            return rewritten(pushUrls, ".insteadof");
        }
        if (urls.isEmpty()) {
            urls = List.of(remote);
        }
        List<String> forPush = rewritten(urls, ".pushinsteadof");
        return forPush.equals(urls) ? rewritten(urls, ".insteadof") : forPush;
    }

    /** Makes a command in the private repository connect to the remote as the user's git would. */
    void applyTo(Git.Command command, RemoteAddress remote, Path scratch) {
        try {
            Files.writeString(scratch.resolve("settings"), safeDirectories());
        } catch (IOException e) {
            throw new TargetUnavailableException("cannot write to " + scratch, e);
        }
        // The settings are passed in the environment, because they may contain credentials. The
        // file is for a server on this machine: git starts it without that environment, and it must
        // know the trusted directories.
        command.env("GIT_CONFIG_NOSYSTEM", "1")
                .env("GIT_CONFIG_GLOBAL", scratch.resolve("settings").toString());
        for (Entry entry : entries) {
            if (NOT_COPIED.stream().noneMatch(entry.key::startsWith)) {
                command.set(entry.key, entry.value);
            }
        }
        defineRemote(command, remote, "leasehold");
    }

    /** Defines the remote under another name that carries only the connection settings. */
    void defineRemote(Git.Command command, RemoteAddress remote, String name) {
        command.set("remote." + name + ".url", remote.url());
        String prefix = "remote." + remote.given() + ".";
        for (Entry entry : entries) {
            if (remote.configured()
                    && entry.key.startsWith(prefix)
                    && CONNECTION_KEYS.contains(entry.key.substring(prefix.length()))) {
                command.set("remote." + name + "." + entry.key.substring(prefix.length()), entry.value);
            }
        }
    }

    /** Whether git would update a remote-tracking branch after it pushed this ref. */
    boolean isTracked(RemoteAddress remote, String ref) {
        for (String refspec : all("remote." + remote.given() + ".fetch")) {
            String source = refspec.startsWith("+") ? refspec.substring(1) : refspec;
            source = source.substring(0, source.indexOf(':') < 0 ? source.length() : source.indexOf(':'));
            int star = source.indexOf('*');
            if (star < 0 ? source.equals(ref) : ref.startsWith(source.substring(0, star))) {
                return true;
            }
        }
        return false;
    }

    private String safeDirectories() {
        StringBuilder text = new StringBuilder("[safe]\n");
        for (String directory : all("safe.directory")) {
            text.append("\tdirectory = \"")
                    .append(directory.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append("\"\n");
        }
        return text.toString();
    }

    /** Applies git's URL rewriting: for each URL the longest matching prefix wins. */
    private List<String> rewritten(List<String> urls, String kind) {
        List<String> result = new ArrayList<>();
        for (String url : urls) {
            String longest = "";
            String replaced = url;
            for (Entry entry : entries) {
                boolean rule = entry.key.startsWith("url.") && entry.key.endsWith(kind);
                if (rule && url.startsWith(entry.value) && entry.value.length() > longest.length()) {
                    longest = entry.value;
                    replaced = entry.key.substring(4, entry.key.length() - kind.length())
                            + url.substring(entry.value.length());
                }
            }
            result.add(replaced);
        }
        return result;
    }

    private List<String> all(String key) {
        List<String> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.key.equals(key)) {
                found.add(entry.value);
            }
        }
        return found;
    }

    private @Nullable String last(String key) {
        List<String> found = all(key);
        return found.isEmpty() ? null : found.get(found.size() - 1);
    }
}
