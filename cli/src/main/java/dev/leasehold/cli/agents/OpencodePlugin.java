package dev.leasehold.cli.agents;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.internal.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plugin for opencode, a file of its own. */
final class OpencodePlugin extends HookInstallation {
    private static final String RESOURCE = "opencode-plugin.js";
    private static final String PLACE = "\"LEASEHOLD_COMMAND\"";
    private static final String MARK = "// Leasehold agent-hook for opencode";
    private static final String ASSIGNMENT = "const command = ";

    OpencodePlugin(Invocation invocation, Path file) {
        super(invocation, "opencode", file);
    }

    @Override
    String with(@Nullable String before) {
        if (before != null && !before.isBlank() && !before.startsWith(MARK)) {
            throw new IllegalArgumentException("it is not a plugin of Leasehold");
        }
        return resource().replace(PLACE, JsonWriter.ascii(command("")));
    }

    private static String resource() {
        try (InputStream in = OpencodePlugin.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @Nullable
    String without(String before) {
        return null;
    }

    @Override
    List<String> commands(String settings) {
        int at = settings.startsWith(MARK) ? settings.indexOf(ASSIGNMENT) : -1;
        return at < 0 ? List.of() : List.of(settings.substring(at + ASSIGNMENT.length(), settings.indexOf('\n', at)));
    }

    @Override
    @Nullable
    String hint() {
        return "opencode loads the plugin at its next start.";
    }
}
