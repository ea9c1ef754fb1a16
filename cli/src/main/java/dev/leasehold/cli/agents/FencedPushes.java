package dev.leasehold.cli.agents;

import dev.leasehold.agents.HookSettings;
import dev.leasehold.agents.ShellText;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends {@code git push} through the fence of the remote, if the store remembers one for a remote of the
 * repository.
 */
final class FencedPushes implements HookSettings.PushRule {
    private static final int MOST_NAMES = 1000;

    private final Supplier<LeaseStore> store;
    private final Invocation invocation;

    FencedPushes(Supplier<LeaseStore> store, Invocation invocation) {
        this.store = store;
        this.invocation = invocation;
    }

    @Override
    public @Nullable String reasonAgainst(String command, String cwd) {
        if (!ShellText.pushes(command)) {
            return null;
        }
        List<String> remotes = remotes(cwd);
        TargetMemory memory = new TargetMemory(store.get().register());
        for (LeaseName name : memory.names("", MOST_NAMES)) {
            for (KnownTarget target : memory.of(name)) {
                if (remotes.contains(target.place())) {
                    return "the remote " + SafeText.escape(target.shown())
                            + " of this repository is fenced by the lease "
                            + name + ". The push was refused and nothing was run. Push with 'leasehold push' instead,"
                            + " under that lease; a push without its token would be able to overwrite newer work.";
                }
            }
        }
        return null;
    }

    /** The URLs in the configuration of the repository, as they are and as absolute paths. */
    private List<String> remotes(String cwd) {
        List<String> found = new ArrayList<>();
        try {
            Path root = Path.of(
                    dev.leasehold.agents.DiskWorkspace.rootOf(Path.of(cwd).toRealPath()));
            Path config = gitDirectory(root).resolve("config");
            for (String line : Files.readAllLines(config, StandardCharsets.UTF_8)) {
                String setting = line.strip();
                if (setting.startsWith("url") || setting.startsWith("pushurl")) {
                    String url = setting.substring(setting.indexOf('=') + 1).strip();
                    found.add(url);
                    addPath(root, url, found);
                }
            }
        } catch (IOException | InvalidPathException e) {
            invocation.console().say("the remotes of the repository cannot be read: " + e.getMessage());
        }
        return found;
    }

    private static void addPath(Path root, String url, List<String> found) {
        try {
            String path = url.startsWith("file://") ? url.substring("file://".length()) : url;
            found.add(root.resolve(path).toRealPath().toString());
        } catch (IOException | InvalidPathException e) {
            // The URL is not a path.
        }
    }

    private static Path gitDirectory(Path root) throws IOException {
        Path git = root.resolve(".git");
        if (Files.isDirectory(git)) {
            return git;
        }
        String pointer = Files.readString(git).strip();
        Path own = root.resolve(pointer.substring(pointer.indexOf(':') + 1).strip());
        return own.resolve(Files.readString(own.resolve("commondir")).strip());
    }
}
