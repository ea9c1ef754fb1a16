package dev.leasehold.zookeeper;

import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The znode with the value of a key.
 *
 * @param life the name of the znode, drawn when the key was created
 * @param number ZooKeeper's version, which counts the writes of one life
 */
record Znode(String life, int number, String value) {
    static Znode of(String life, byte @Nullable [] data, Stat stat) {
        return new Znode(life, stat.getVersion(), text(data));
    }

    static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    String version() {
        return life + "." + number;
    }

    /** Without a value. Null if no znode can have this version. */
    static @Nullable Znode ofVersion(String version) {
        int point = version.lastIndexOf('.');
        if (point < 0 || !isLife(version.substring(0, point))) {
            return null;
        }
        try {
            int number = Integer.parseInt(version.substring(point + 1));
            return number < 0 ? null : new Znode(version.substring(0, point), number, "");
        } catch (NumberFormatException e) {
            return null;
        }
    }

    static boolean isLife(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!Character.isLetterOrDigit(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
