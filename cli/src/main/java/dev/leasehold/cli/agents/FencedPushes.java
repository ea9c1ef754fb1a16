package dev.leasehold.cli.agents;

import dev.leasehold.agents.DiskWorkspace;
import dev.leasehold.agents.HookSettings;
import dev.leasehold.agents.ShellText;
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

    FencedPushes(Supplier<LeaseStore> store) {
        this.store = store;
    }

    @Override
    public @Nullable String reasonAgainst(String command, String cwd) {
        if (!ShellText.pushes(command)) {
            return null;
        }
        List<String> remotes = remotes(command, cwd);
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

    /**
     * The remotes of the repository in this directory and in every directory that the command names, as
     * {@code git -C} and {@code cd} do, and every remote that it names itself.
     */
    private static List<String> remotes(String command, String cwd) {
        List<String> found = new ArrayList<>();
        addRemotes(cwd, "", found);
        for (String word : ShellText.words(command)) {
            addRemotes(cwd, word, found);
            found.add(word);
            addPath(Path.of(cwd), word, found);
        }
        return found;
    }

    /** The URLs in the configuration of the repository, as they are and as absolute paths. */
    private static void addRemotes(String cwd, String directory, List<String> found) {
        try {
            Path place = Path.of(cwd).resolve(directory);
            if (!Files.isDirectory(place)) {
                return;
            }
            Path root = Path.of(DiskWorkspace.rootOf(place.toRealPath()));
            byte[] config = Files.readAllBytes(gitDirectory(root).resolve("config"));
            for (String line :
                    new String(config, StandardCharsets.UTF_8).lines().toList()) {
                String setting = line.strip();
                if (setting.startsWith("url") || setting.startsWith("pushurl")) {
                    String url = setting.substring(setting.indexOf('=') + 1).strip();
                    found.add(url);
                    addPath(root, url, found);
                }
            }
        } catch (IOException | InvalidPathException e) {
            // There is no repository, or git cannot read it either.
        }
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
