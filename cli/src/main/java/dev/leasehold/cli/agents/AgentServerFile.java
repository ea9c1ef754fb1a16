package dev.leasehold.cli.agents;

import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.model.StoreId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The file by which the launcher finds a server on this host: its address, the store as the agents must
 * name it, so that both use the same, and the id of the store. Each answer of the server has that id. A
 * server that was killed leaves its file behind, and another program may listen at the address by then.
 */
public final class AgentServerFile implements AutoCloseable {
    private final @Nullable Path file;
    private final String content;

    private AgentServerFile(@Nullable Path file, String content) {
        this.file = file;
        this.content = content;
    }

    public static AgentServerFile none() {
        return new AgentServerFile(null, "");
    }

    /** The directory that agents of this user use. */
    public static Path stateDirectory(Invocation invocation) {
        return AgentState.directory(invocation, invocation.env(AgentState.VARIABLE));
    }

    /** Writes the file. Without it agents start the program, so a failure is only reported. */
    public static AgentServerFile write(Invocation invocation, String url, StoreId id) {
        String given = invocation.arguments().text(CommonOptions.STORE);
        String configured = invocation.configuredStore();
        // The launcher compares this with its environment. It does not read a file of settings, which may
        // have changed since: with a URL from such a file, the launcher starts the program instead.
        String store = configured != null
                ? configured
                : given == null ? invocation.environment().getOrDefault(StoreUrl.VARIABLE, "") : given;
        String content = url + "\n" + store + "\n" + id.value() + "\n";
        Path file = stateDirectory(invocation).resolve("server");
        try {
            Files.createDirectories(stateDirectory(invocation));
            Path scratch = Files.createTempFile(
                    stateDirectory(invocation),
                    "server",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(scratch, content);
            Files.move(scratch, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new AgentServerFile(file, content);
        } catch (IOException | UnsupportedOperationException e) {
            invocation.console().say("agents will not find this server: " + file + " cannot be written");
            return none();
        }
    }

    /** Removes the file, unless another server has replaced it. */
    @Override
    public void close() {
        try {
            if (file != null && Files.readString(file).equals(content)) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // The launcher notices that nobody answers there.
        }
    }
}
