package dev.leasehold.cli.command;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.internal.Nearest;
import dev.leasehold.internal.Secrets;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the files {@code leasehold.conf}: of this user, and of the machine. A setting of the user counts first;
 * options and the environment come before both. Without these files it costs two looks at the disk.
 */
public final class Configuration {
    public static final String STORE = "store";
    public static final String TTL = "ttl";
    public static final String HOLDER = "holder";

    /** Names another file in place of that of the machine. */
    public static final String SYSTEM_VARIABLE = "LEASEHOLD_SYSTEM_CONF";

    private static final List<String> KEYS = List.of(STORE, TTL, HOLDER);
    private static final String SYSTEM_FILE = "/etc/leasehold/leasehold.conf";
    private static final int MAX_BYTES = 65_536;

    /**
     * A setting of a file.
     *
     * @param where the file and the line, for messages
     */
    public record Setting(String value, String where) {}

    private final List<File> files;
    private final Map<String, Setting> settings = new HashMap<>();

    private Configuration(List<File> files) {
        this.files = files;
    }

    /** @throws UsageException if a file has a mistake or cannot be read */
    static Configuration read(Invocation invocation) {
        Configuration read = new Configuration(files(invocation));
        for (File file : read.files) {
            if (file.exists()) {
                read.add(file);
            }
        }
        return read;
    }

    /** The files, the first of which counts. */
    private static List<File> files(Invocation invocation) {
        List<File> files = new ArrayList<>(2);
        String config = invocation.env("XDG_CONFIG_HOME");
        String home = invocation.env("HOME");
        // The XDG specification says to ignore a relative path.
        if (config != null && config.startsWith("/")) {
            files.add(new File(config.concat("/leasehold/leasehold.conf")));
        } else if (home != null && home.startsWith("/")) {
            files.add(new File(home.concat("/.config/leasehold/leasehold.conf")));
        }
        String system = invocation.env(SYSTEM_VARIABLE);
        files.add(new File(system == null ? SYSTEM_FILE : system));
        return files;
    }

    /** Where the files are or would be, the first of which counts. */
    public List<File> files() {
        return files;
    }

    /** Null if no file has the setting. */
    public @Nullable Setting get(String key) {
        return settings.get(key);
    }

    private void add(File file) {
        String text = text(file);
        Map<String, Setting> own = new HashMap<>();
        int number = 0;
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            number++;
            addLine(file + ":" + number, text.substring(from, end).strip(), own);
            from = end + 1;
        }
        refuseIfExposed(file, own);
        own.forEach(settings::putIfAbsent);
    }

    private static void addLine(String where, String line, Map<String, Setting> own) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw new UsageException(where + ": write 'key = value', or start a comment with #");
        }
        String key = line.substring(0, equals).strip();
        String value = line.substring(equals + 1).strip();
        if (!KEYS.contains(key)) {
            throw new UsageException(where + ": unknown key " + SafeText.quote(key) + Nearest.suggestion(key, KEYS, "")
                    + "; the keys are " + String.join(", ", KEYS));
        }
        if (value.isEmpty()) {
            throw new UsageException(where + ": " + key + " has no value: write one, or remove the line");
        }
        if (own.put(key, new Setting(value, where)) != null) {
            throw new UsageException(where + ": " + key + " is set twice in this file");
        }
    }

    private static String text(File file) {
        if (!file.isFile()) {
            throw new UsageException(file + " is not a file: write the settings into one, or remove it");
        }
        try (FileInputStream in = new FileInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new UsageException(file + " is larger than " + MAX_BYTES + " bytes, so it is something else");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UsageException(file + " is not UTF-8", e);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A file that others change decides which store grants leases; one that they read tells them its password. */
    private static void refuseIfExposed(File file, Map<String, Setting> own) {
        Set<PosixFilePermission> mode;
        try {
            mode = Files.getPosixFilePermissions(file.toPath());
        } catch (IOException | UnsupportedOperationException e) {
            return;
        }
        if (mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new UsageException(
                    file + " can be changed by every user of this machine: run 'chmod o-w " + file + "'");
        }
        Setting store = own.get(STORE);
        if (store != null
                && mode.contains(PosixFilePermission.OTHERS_READ)
                && !Secrets.in(store.value()).isEmpty()) {
            throw new UsageException(store.where()
                    + ": every user of this machine can read the password in this file: run 'chmod o-r " + file
                    + "', or write ?password-file=/path into the URL (docs/credentials.md)");
        }
    }
}
