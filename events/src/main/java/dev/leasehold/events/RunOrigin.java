package dev.leasehold.events;

import dev.leasehold.internal.HostName;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.Text;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run executes, and who called it where. For people to read: arguments that look like
 * passwords are replaced, and long texts are cut.
 *
 * @param user the user who called {@code sudo}, if one did
 */
public record RunOrigin(String command, String user, String host, String directory) {
    private static final int MAX_COMMAND = 200;
    private static final int MAX_USER = 40;
    private static final int MAX_HOST = 63;
    private static final int MAX_DIRECTORY = 120;
    private static final String HIDDEN = "***";
    private static final String[] SECRET_WORDS = {"pass", "secret", "token", "apikey", "api-key", "api_key"};

    /** @param directory where the command starts, null for the current directory */
    public static RunOrigin of(List<String> command, Map<String, String> environment, @Nullable Object directory) {
        String sudo = environment.getOrDefault("SUDO_USER", "");
        return new RunOrigin(
                Text.shown(withoutSecrets(String.join(" ", command)), MAX_COMMAND),
                Text.shown(sudo.isEmpty() ? System.getProperty("user.name", "?") : sudo, MAX_USER),
                Text.shown(HostName.get(), MAX_HOST),
                Text.shown(
                        directory == null ? System.getProperty("user.dir", "?") : directory.toString(), MAX_DIRECTORY));
    }

    /** Judges each word, also those inside a script of {@code sh -c}. */
    static String withoutSecrets(String command) {
        StringBuilder shown = new StringBuilder();
        String before = "";
        int from = 0;
        while (from <= command.length()) {
            int blank = command.indexOf(' ', from);
            int end = blank < 0 ? command.length() : blank;
            String word = command.substring(from, end);
            shown.append(from == 0 ? "" : " ").append(withoutSecret(word, before));
            before = word;
            from = end + 1;
        }
        return shown.toString();
    }

    private static String withoutSecret(String word, String before) {
        boolean afterOption = before.startsWith("-") && before.indexOf('=') < 0;
        if (afterOption && soundsSecret(before) && !word.startsWith("-")) {
            return HIDDEN;
        }
        int colon = word.indexOf(':');
        if ((before.equals("-u") || before.equals("--user")) && colon >= 0) {
            return word.substring(0, colon + 1) + HIDDEN;
        }
        int equals = word.indexOf('=');
        if (equals > 0 && soundsSecret(word.substring(0, equals))) {
            return word.substring(0, equals + 1) + HIDDEN;
        }
        return Secrets.withoutPassword(word);
    }

    private static boolean soundsSecret(String name) {
        for (String secret : SECRET_WORDS) {
            for (int i = 0; i + secret.length() <= name.length(); i++) {
                if (name.regionMatches(true, i, secret, 0, secret.length())) {
                    return true;
                }
            }
        }
        return false;
    }
}
