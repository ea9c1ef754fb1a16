package dev.leasehold.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs the commands whose classes go into the archive that makes them start fast. They run in one
 * process, because since JDK 25 an archive can hold only one run. The launcher starts this in an
 * empty store.
 */
final class Training {
    private static final List<String> RUN = List.of("run", "x", "--", "true");

    /** The second run finds what the first has left, which is the usual case. */
    private static final List<List<String>> COMMANDS = List.of(RUN, RUN, List.of("status"));

    /** A short session: the handshake, the list of tools, a lease that is kept alive, one that is busy. */
    private static final String MCP_SESSION =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"tools/list"}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lease_acquire","arguments":{"name":"y","keep_alive":true}}}
            {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"lease_acquire","arguments":{"name":"y"}}}
            {"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
            """;

    private Training() {}

    /** @param args the name of a command to train as well, of which there is only {@code mcp} */
    public static void main(String[] args) {
        for (List<String> command : COMMANDS) {
            Main.execute(command.toArray(new String[0]), System.getenv(), System.in, System.out, System.err);
        }
        if (args.length > 0) {
            InputStream session = new ByteArrayInputStream(MCP_SESSION.getBytes(StandardCharsets.UTF_8));
            Main.execute(new String[] {"mcp"}, System.getenv(), session, System.out, System.err);
        }
        Main.main(new String[] {"--version"});
    }
}
