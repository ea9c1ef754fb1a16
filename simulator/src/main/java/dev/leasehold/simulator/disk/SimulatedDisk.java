package dev.leasehold.simulator.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One directory of files. Each process sees it through its own file system. */
public final class SimulatedDisk {
    private TreeMap<String, Inode> names = new TreeMap<>();
    private final TreeMap<String, Inode> durable = new TreeMap<>();
    private final List<Map<String, @Nullable Inode>> unsynced = new ArrayList<>();
    private final Consumer<String> changed;

    /** @param changed receives the name of each file after it was changed or renamed */
    public SimulatedDisk(Consumer<String> changed) {
        this.changed = changed;
    }

    /** The directory as one process sees it. */
    public Path seenBy(SystemCalls process) {
        return new DiskFileSystem(this, process).root();
    }

    public Optional<byte[]> content(String name) {
        return Optional.ofNullable(names.get(name)).map(Inode::bytes);
    }

    /**
     * Synced data stays. Everything else may or may not, contents and names independently: file
     * systems promise no order between them. A rename is atomic.
     */
    public void cutPower(PowerCutChoice choice) {
        for (Map<String, @Nullable Inode> change : unsynced) {
            if (choice.toss()) {
                apply(durable, change);
            }
        }
        unsynced.clear();
        names = new TreeMap<>(durable);
        names.values().forEach(inode -> inode.losePower(choice));
    }

    private static void apply(Map<String, Inode> to, Map<String, @Nullable Inode> change) {
        change.forEach((name, inode) -> {
            if (inode == null) {
                to.remove(name);
            } else {
                to.put(name, inode);
            }
        });
    }

    List<String> names() {
        return List.copyOf(names.keySet());
    }

    Inode find(String name) throws NoSuchFileException {
        Inode inode = names.get(name);
        if (inode == null) {
            throw new NoSuchFileException(name);
        }
        return inode;
    }

    DiskAttributes attributes(String name) throws NoSuchFileException {
        Inode inode = find(name);
        int links = 0;
        for (Inode each : names.values()) {
            links += each == inode ? 1 : 0;
        }
        return DiskAttributes.of(inode, links);
    }

    Inode create(SystemCalls process, String name) throws IOException {
        Inode inode = new Inode();
        link(process, name, inode);
        return inode;
    }

    void link(SystemCalls process, String name, Inode inode) throws IOException {
        if (names.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        requireSpace(process);
        change(name, inode);
    }

    void rename(SystemCalls process, String from, String to) throws IOException {
        Inode inode = find(from);
        requireSpace(process);
        Map<String, @Nullable Inode> both = new HashMap<>();
        both.put(from, null);
        both.put(to, inode);
        change(both);
        changed.accept(to);
    }

    void remove(String name) throws NoSuchFileException {
        find(name);
        change(name, null);
    }

    private void change(String name, @Nullable Inode inode) {
        Map<String, @Nullable Inode> one = new HashMap<>();
        one.put(name, inode);
        change(one);
        changed.accept(name);
    }

    private void change(Map<String, @Nullable Inode> change) {
        apply(names, change);
        unsynced.add(change);
    }

    void syncNames() {
        unsynced.forEach(change -> apply(durable, change));
        unsynced.clear();
    }

    void written(Inode inode) {
        names.forEach((name, other) -> {
            if (other == inode) {
                changed.accept(name);
            }
        });
    }

    static void requireSpace(SystemCalls process) throws IOException {
        if (process.isFull()) {
            throw new IOException("No space left on device");
        }
    }
}
