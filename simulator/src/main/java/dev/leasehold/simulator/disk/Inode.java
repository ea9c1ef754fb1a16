package dev.leasehold.simulator.disk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file's bytes as processes see them, and the part that would survive a power cut. */
final class Inode {
    private static final class Write {
        final int position;
        final byte[] data;

        Write(int position, byte[] data) {
            this.position = position;
            this.data = data;
        }
    }

    private byte[] bytes = new byte[0];
    private byte[] durable = new byte[0];
    private final List<Write> unforced = new ArrayList<>();
    private @Nullable SystemCalls owner;

    byte[] bytes() {
        return bytes;
    }

    void write(int position, byte[] data) {
        bytes = with(bytes, position, data, data.length);
        unforced.add(new Write(position, data));
    }

    private static byte[] with(byte[] old, int position, byte[] data, int length) {
        int end = position + length;
        byte[] all = old.length < end ? Arrays.copyOf(old, end) : old;
        System.arraycopy(data, 0, all, position, length);
        return all;
    }

    void force() {
        for (Write write : unforced) {
            durable = with(durable, write.position, write.data, write.data.length);
        }
        unforced.clear();
    }

    /**
     * Each write that was not synced reaches the disk whole, in part from its start, or not at all,
     * independently of the others.
     */
    void losePower(PowerCutChoice choice) {
        for (Write write : unforced) {
            int kept = choice.toss() ? write.data.length : choice.toss() ? 0 : choice.below(write.data.length + 1);
            if (kept > 0) {
                durable = with(durable, write.position, write.data, kept);
            }
        }
        unforced.clear();
        bytes = durable.clone();
        owner = null;
    }

    /** Returns whether the process holds the lock now. */
    boolean lock(SystemCalls process) {
        if (owner == null || owner.isDead()) {
            owner = process;
        }
        return owner == process;
    }

    boolean isLockedBy(SystemCalls process) {
        return owner == process;
    }

    void unlock(SystemCalls process) {
        if (owner == process) {
            owner = null;
        }
    }
}
