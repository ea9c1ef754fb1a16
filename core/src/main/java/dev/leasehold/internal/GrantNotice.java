package dev.leasehold.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * What a process tells those that wait for a name, once it has the lease.
 *
 * @param ttl after this time, they should ask again: nobody announces a lease that expires
 * @param process identifies the process, or rather its connection to the store
 * @param rivals how many other processes it has heard of that compete for the name
 */
public record GrantNotice(long token, Duration ttl, String process, int rivals) {
    private static final int LONGEST = 100;

    /** Without blanks. */
    public String text() {
        return "granted:" + token + ":" + ttl.toMillis() + ":" + process + ":" + rivals;
    }

    /** Empty if this is no such notice: anybody who may use the store may also send nonsense. */
    public static Optional<GrantNotice> parse(String text) {
        String[] parts = text.length() > LONGEST ? new String[0] : text.split(":", -1);
        if (parts.length != 5 || !parts[0].equals("granted")) {
            return Optional.empty();
        }
        try {
            long token = Long.parseLong(parts[1]);
            long millis = Long.parseLong(parts[2]);
            int rivals = Integer.parseInt(parts[4]);
            return token < 1 || millis < 0
                    ? Optional.empty()
                    : Optional.of(new GrantNotice(token, Duration.ofMillis(millis), parts[3], rivals));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
