package dev.leasehold.agents;

import dev.leasehold.internal.Sha256;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.nio.charset.StandardCharsets;

/**
 * A file that agents edit, under the name of its lease. Two ways to write the path of one file give
 * the same place.
 *
 * @param path the absolute path, without links
 * @param shown the path below its root, for people and agents
 */
public record FilePlace(String path, String shown, LeaseName name) implements Comparable<FilePlace> {
    /** What all names of files start with. */
    public static final String PREFIX = LeaseStore.EDIT_PREFIX;

    private static final int ROOT_DIGITS = 12;
    private static final int HASH_DIGITS = 32;
    private static final char HASH_MARK = '@';
    private static final int MAX_READABLE = 100;

    /**
     * @param root the root of the worktree, or of the file system
     * @param relative the path below it, with slashes
     */
    public static FilePlace of(String root, String relative) {
        String path = root.endsWith("/") ? root + relative : root + "/" + relative;
        return new FilePlace(path, relative, LeaseName.of(prefix(root) + suffix(relative)));
    }

    /** What the names of all files below this root start with. */
    public static String prefix(String root) {
        return PREFIX + sha256(root).substring(0, ROOT_DIGITS) + "/";
    }

    /**
     * The path itself if it is short and plain; otherwise a readable part of it with its hash. A plain
     * path never contains the mark, so the two cannot be equal.
     */
    private static String suffix(String relative) {
        int room = LeaseName.MAX_LENGTH - PREFIX.length() - ROOT_DIGITS - 1;
        StringBuilder readable = new StringBuilder();
        boolean plain = relative.length() <= room && !relative.isEmpty();
        int start = Math.max(0, relative.length() - (plain ? room : MAX_READABLE));
        for (int i = start; i < relative.length(); i++) {
            char c = relative.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-'
                    || c == '/';
            plain &= allowed;
            readable.append(allowed ? c : '_');
        }
        if (plain) {
            return relative;
        }
        String tail = readable.substring(Math.max(0, readable.length() - MAX_READABLE));
        return tail + HASH_MARK + sha256(relative).substring(0, HASH_DIGITS);
    }

    /** Whether the path can be read from a name. */
    static boolean isReadable(LeaseName name) {
        return name.value().indexOf(HASH_MARK) < 0;
    }

    static String sha256(String text) {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int compareTo(FilePlace other) {
        return name.compareTo(other.name);
    }
}
