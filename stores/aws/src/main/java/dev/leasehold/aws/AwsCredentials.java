package dev.leasehold.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys with which requests are signed, from the places where other programs for AWS look: first the
 * environment, then a profile of the shared credentials file. The text form shows no secret.
 */
final class AwsCredentials {
    private final String id;
    private final String secret;
    private final @Nullable String session;

    private AwsCredentials(String id, String secret, @Nullable String session) {
        this.id = id;
        this.secret = secret;
        this.session = session;
    }

    /**
     * @param environment the variables of this process
     * @param profile the profile that the URL names; null for the environment's choice
     * @throws IllegalArgumentException if there are none
     */
    static AwsCredentials find(Map<String, String> environment, @Nullable String profile) {
        AwsCredentials found = profile == null ? of(environment::get) : null;
        if (found != null) {
            return found;
        }
        String name = profile == null ? environment.getOrDefault("AWS_PROFILE", "default") : profile;
        Map<String, String> file = section(file(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials"), name);
        found = of(variable -> file.get(variable.toLowerCase(Locale.ROOT)));
        if (found == null) {
            throw new IllegalArgumentException("there are no credentials for AWS: set AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY, or add the profile '" + name
                    + "' with both to ~/.aws/credentials. Where you sign in another way, run"
                    + " 'eval \"$(aws configure export-credentials --format env)\"' first");
        }
        return found;
    }

    private interface Values {
        @Nullable
        String get(String name);
    }

    private static @Nullable AwsCredentials of(Values values) {
        String id = values.get("AWS_ACCESS_KEY_ID");
        String secret = values.get("AWS_SECRET_ACCESS_KEY");
        return id == null || secret == null || id.isBlank() || secret.isBlank()
                ? null
                : new AwsCredentials(requireLine(id), requireLine(secret), session(values));
    }

    private static @Nullable String session(Values values) {
        String session = values.get("AWS_SESSION_TOKEN");
        return session == null || session.isBlank() ? null : requireLine(session);
    }

    /** A line break in a key would end the header in which it is sent. */
    private static String requireLine(String key) {
        String line = key.strip();
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) <= 0x20 || line.charAt(i) >= 0x7f) {
                throw new IllegalArgumentException(
                        "the credentials for AWS have a blank or a control character: set AWS_ACCESS_KEY_ID,"
                                + " AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN as they were given out");
            }
        }
        return line;
    }

    /** The region that the environment or the profile names; null if none does. */
    static @Nullable String region(Map<String, String> environment, @Nullable String profile) {
        for (String variable : new String[] {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
            String region = environment.get(variable);
            if (region != null && !region.isBlank()) {
                return region;
            }
        }
        String name = profile == null ? environment.getOrDefault("AWS_PROFILE", "default") : profile;
        return section(
                        file(environment, "AWS_CONFIG_FILE", "config"),
                        name.equals("default") ? name : "profile " + name)
                .get("region");
    }

    private static Path file(Map<String, String> environment, String variable, String name) {
        String given = environment.get(variable);
        return given == null ? Path.of(System.getProperty("user.home"), ".aws", name) : Path.of(given);
    }

    /** The settings of one section of such a file; empty if there is none. */
    private static Map<String, String> section(Path file, String name) {
        Map<String, String> settings = new HashMap<>();
        if (!Files.exists(file)) {
            return settings;
        }
        try {
            boolean wanted = false;
            for (String line : Files.readAllLines(file)) {
                String text = line.strip();
                int equals = text.indexOf('=');
                if (text.startsWith("[") && text.endsWith("]")) {
                    wanted = text.substring(1, text.length() - 1).strip().equals(name);
                } else if (wanted && equals > 0 && !text.startsWith("#")) {
                    settings.put(
                            text.substring(0, equals).strip(),
                            text.substring(equals + 1).strip());
                }
            }
            return settings;
        } catch (IOException e) {
            throw new IllegalArgumentException("the settings for AWS cannot be read from " + file, e);
        }
    }

    String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    @Nullable
    String session() {
        return session;
    }

    @Override
    public String toString() {
        return "credentials for AWS";
    }
}
