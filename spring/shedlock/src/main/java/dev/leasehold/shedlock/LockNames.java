package dev.leasehold.shedlock;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The lease names of ShedLock's locks. A lock name may contain any character, a lease name only
 * {@code A-Z a-z 0-9 . _ : / @ -}. Every other character becomes {@code @} and two hexadecimal digits,
 * or {@code @u} and four, and so does {@code @} itself: {@code daily report} is the lease {@code
 * daily@20report}. Different locks have different leases.
 */
public final class LockNames {
    private static final char ESCAPE = '@';
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String KEPT = "._:/-";

    private LockNames() {}

    /** @throws IllegalArgumentException if the lease name would be too long */
    public static LeaseName leaseName(String lockName) {
        StringBuilder name = new StringBuilder(lockName.length() + 8);
        // Names under these prefixes may be erased, with their tokens.
        boolean erasable =
                lockName.startsWith(LeaseStore.SCRATCH_PREFIX) || lockName.startsWith(LeaseStore.EDIT_PREFIX);
        for (int i = 0; i < lockName.length(); i++) {
            char c = lockName.charAt(i);
            if (isKept(c) && !(erasable && i == 0)) {
                name.append(c);
            } else {
                name.append(ESCAPE).append(c < 0x80 ? HEX.toHexDigits((byte) c) : "u" + HEX.toHexDigits(c));
            }
        }
        if (name.length() > LeaseName.MAX_LENGTH) {
            throw new IllegalArgumentException("the lock name that starts with '"
                    + name.substring(0, 40) + "' is too long: as a lease name it has " + name.length()
                    + " characters, at most " + LeaseName.MAX_LENGTH
                    + " are allowed. Characters other than A-Z a-z 0-9 " + KEPT + " count as 3, or as 6 if they are"
                    + " not ASCII. Shorten the name in @SchedulerLock");
        }
        return LeaseName.of(name.toString());
    }

    /** The lock with this lease; empty if no lock has it. */
    public static Optional<String> lockName(LeaseName name) {
        String text = name.value();
        StringBuilder lock = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ESCAPE) {
                lock.append(c);
                at++;
                continue;
            }
            boolean wide = text.startsWith("u", at + 1);
            int start = at + (wide ? 2 : 1);
            int end = start + (wide ? 4 : 2);
            if (end > text.length() || !isHex(text, start, end)) {
                return Optional.empty();
            }
            lock.append((char) Integer.parseInt(text, start, end, 16));
            at = end;
        }
        String found = lock.toString();
        // Another spelling of the same characters is the lease of no lock.
        return leaseName(found).equals(name) ? Optional.of(found) : Optional.empty();
    }

    private static boolean isKept(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || KEPT.indexOf(c) >= 0;
    }

    private static boolean isHex(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'F')) {
                return false;
            }
        }
        return true;
    }
}
