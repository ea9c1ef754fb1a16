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
 * The settings that hold where the user is, of all files and conditions. The repository of ours in which the fence is
 * looked at gets the same, or credentials, proxies and keys that are set for this repository alone would be missing there.
 */
final class GitSettings {
    /** What describes the user's repository, or would make git do more than it is asked. */
    private static final List<String> NOT_FOR_OURS = List.of(
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

    /** What may be taken over of a remote: how to talk to it, but not what to fetch and push by default. */
    private static final List<String> HOW_TO_TALK =
            List.of("proxy", "proxyauthmethod", "receivepack", "serveroption", "uploadpack", "vcs");

    private record Entry(String key, String value) {}

    private final List<Entry> entries = new ArrayList<>();

    static GitSettings read(Git git) {
        Git.Answer answer = git.here("config", "-z", "--list").inEnglish().run();
        if (!answer.ok()) {
            throw new TargetUnavailableException("git's settings cannot be read: " + answer.words());
        }
        GitSettings settings = new GitSettings();
        for (String entry : answer.out().split("\0", -1)) {
            int end = entry.indexOf('\n');
            if (!entry.isEmpty()) {
                // A key alone means true.
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

    /** Whether git is told to look after submodules when it pushes. */
    boolean looksAfterSubmodules() {
        String push = last("push.recursesubmodules");
        String setting = push == null ? last("submodule.recurse") : push;
        return setting != null && !List.of("no", "false", "off", "0").contains(setting.toLowerCase(Locale.ROOT));
    }

    boolean isRemote(String name) {
        String prefix = "remote." + name + ".";
        return entries.stream().anyMatch(entry -> entry.key.startsWith(prefix));
    }

    /** Where a push to this remote, which may be a URL or a path as well, would go: as git decides it. */
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

    /** Makes a command in a repository of ours talk to this URL as the user's git would. */
    void applyTo(Git.Command command, RemoteAddress remote, Path scratch) {
        try {
            Files.writeString(scratch.resolve("settings"), safeDirectories());
        } catch (IOException e) {
            throw new TargetUnavailableException("cannot write to " + scratch, e);
        }
        // The settings are passed in the environment, not in a file: they may hold credentials. A server on
        // this machine is started with files only, and must know which directories may be trusted.
        command.env("GIT_CONFIG_NOSYSTEM", "1")
                .env("GIT_CONFIG_GLOBAL", scratch.resolve("settings").toString());
        for (Entry entry : entries) {
            if (NOT_FOR_OURS.stream().noneMatch(entry.key::startsWith)) {
                command.set(entry.key, entry.value);
            }
        }
        nameRemote(command, remote, "leasehold");
    }

    /** Makes a command know the remote by another name, under which nothing is set but how to talk to it. */
    void nameRemote(Git.Command command, RemoteAddress remote, String name) {
        command.set("remote." + name + ".url", remote.url());
        String prefix = "remote." + remote.given() + ".";
        for (Entry entry : entries) {
            if (remote.configured()
                    && entry.key.startsWith(prefix)
                    && HOW_TO_TALK.contains(entry.key.substring(prefix.length()))) {
                command.set("remote." + name + "." + entry.key.substring(prefix.length()), entry.value);
            }
        }
    }

    /** Whether git would note where a ref of the remote is after it pushed it. */
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

    /** For each URL the longest beginning for which there is a replacement decides. */
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
