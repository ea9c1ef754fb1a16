package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which keys of the register a caller may use: those about names that it may use. */
final class RegisterAccess {
    /** Records that only the server and the store itself may touch. */
    private static final List<String> HIDDEN = List.of(AccessKeys.PREFIX, "lease/", WriteProbe.KEY);

    /** Keys of the form {@code prefix + name}, {@code prefix + name + '#' + key}. */
    private static final List<String> BEFORE_A_NAME = List.of(
            "work#", "work!", "effects/", "slots/", "starts/", "runs/", "targets/", "forgotten/", "fences/", "watch/");

    private static final String EFFECT = "effect/";

    private RegisterAccess() {}

    /** @throws BadRequestException if the key is not for this caller */
    static void require(Caller caller, String key) {
        if (!allows(caller, key)) {
            throw new BadRequestException(
                    ProblemType.FORBIDDEN,
                    "this key of the register is not for names that start with " + caller.prefix());
        }
    }

    /** @throws BadRequestException if the key is not for this caller, or not to be changed in this way */
    static void requireForChange(Caller caller, String key) {
        require(caller, key);
        if (key.startsWith(FenceCalls.PREFIX)) {
            throw new BadRequestException(
                    ProblemType.FORBIDDEN, "a fence of the server is changed by the calls under /v1/fences only");
        }
    }

    static boolean allows(Caller caller, String key) {
        for (String hidden : HIDDEN) {
            if (key.startsWith(hidden)) {
                return false;
            }
        }
        if (key.startsWith(FenceCalls.PREFIX) && !caller.seesAttempts()) {
            return false;
        }
        String name = nameIn(key);
        return caller.prefix().isEmpty() || (name != null && caller.sees(name));
    }

    /**
     * The prefix of those keys with this prefix that the caller may see; null if it may see none. A
     * list that is filtered afterwards would reveal keys of others as the place where it goes on.
     */
    static @Nullable String narrowed(Caller caller, String prefix) {
        if (caller.prefix().isEmpty()) {
            return prefix;
        }
        for (String before : BEFORE_A_NAME) {
            if (prefix.startsWith(before)) {
                String names = caller.narrowed(prefix.substring(before.length()));
                return names == null ? null : before + names;
            }
        }
        return null;
    }

    /** The name that a key is about; null if it cannot be told. */
    private static @Nullable String nameIn(String key) {
        for (String before : BEFORE_A_NAME) {
            if (key.startsWith(before)) {
                return key.substring(before.length());
            }
        }
        int slash = key.startsWith(EFFECT) ? key.indexOf('/', EFFECT.length()) : -1;
        return slash < 0 ? null : key.substring(slash + 1);
    }
}
