package dev.leasehold.zookeeper;

import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The content of a znode.
 *
 * @param life a random name, drawn when the key was created
 * @param number ZooKeeper's version, which counts the writes of one life
 */
record Znode(String life, int number, String value) {
    /** @throws IllegalArgumentException if the data is not of this form */
    static Znode parse(byte[] data, Stat stat) {
        String text = new String(data == null ? new byte[0] : data, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        if (end <= 0) {
            throw new IllegalArgumentException("the first line is missing");
        }
        return new Znode(text.substring(0, end), stat.getVersion(), text.substring(end + 1));
    }

    byte[] bytes() {
        return (life + "\n" + value).getBytes(StandardCharsets.UTF_8);
    }

    String version() {
        return life + "." + number;
    }

    /** Without a value. Null if no znode can have this version. */
    static @Nullable Znode ofVersion(String version) {
        int point = version.lastIndexOf('.');
        if (point <= 0) {
            return null;
        }
        String life = version.substring(0, point);
        for (int i = 0; i < life.length(); i++) {
            if (!Character.isLetterOrDigit(life.charAt(i))) {
                return null;
            }
        }
        try {
            int number = Integer.parseInt(version.substring(point + 1));
            return number < 0 ? null : new Znode(life, number, "");
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
