package dev.leasehold.agents;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files in memory. Before each access another agent may run. */
class MemoryWorkspace implements Workspace {
    private final Runnable pause;
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, byte[]> copies = new HashMap<>();
    private final Map<String, Version> last = new HashMap<>();

    private final @Nullable Guard missing;

    MemoryWorkspace(Runnable pause, @Nullable Guard missing) {
        this.pause = pause;
        this.missing = missing;
    }

    String text(String path) {
        byte[] content = files.get(path);
        return content == null ? "" : new String(content, StandardCharsets.UTF_8);
    }

    void write(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    String copyText(String hash) {
        return new String(copies.get(hash), StandardCharsets.UTF_8);
    }

    @Override
    public FilePlace locate(String cwd, String path) {
        return FilePlace.of("/work", path.substring("/work/".length()));
    }

    @Override
    public @Nullable FilePlace acrossWorktrees(FilePlace place) {
        return null;
    }

    @Override
    public byte @Nullable [] content(FilePlace place) {
        pause.run();
        return files.get(place.path());
    }

    @Override
    public String hash(byte @Nullable [] content) {
        if (missing == Guard.CONTENT && content != null) {
            return "0".repeat(64);
        }
        return content == null ? ABSENT : FilePlace.sha256(new String(content, StandardCharsets.UTF_8));
    }

    @Override
    public String stamp(FilePlace place) {
        return hash(files.get(place.path()));
    }

    @Override
    public void keep(FilePlace place, Version version, byte[] content) {
        pause.run();
        copies.put(version.hash(), content);
        if (version.follows(last.get(place.path()))) {
            last.put(place.path(), version);
        }
    }

    @Override
    public @Nullable Version last(FilePlace place) {
        pause.run();
        return last.get(place.path());
    }

    @Override
    public @Nullable String copy(Version version) {
        return missing != Guard.COPIES && copies.containsKey(version.hash()) ? "copy:" + version.hash() : null;
    }

    @Override
    public void forget(FilePlace place) {
        last.remove(place.path());
    }
}
