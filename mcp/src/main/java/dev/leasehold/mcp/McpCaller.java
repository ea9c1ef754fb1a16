package dev.leasehold.mcp;

import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;

/**
 * Who calls a tool, and what that client may do.
 *
 * @param holder names the client in leases that it acquires, unless it names itself
 * @param mayChange whether it may do more than look
 * @param prefix it sees and touches only names that start with this
 */
public record McpCaller(Holder holder, boolean mayChange, String prefix) {
    /** The user who started the program, and so may do everything. */
    public static McpCaller everything(Holder holder) {
        return new McpCaller(holder, true, "");
    }

    LeaseName require(LeaseName name) {
        if (!sees(name.value())) {
            throw new ToolFailure(ToolResult.failed(
                    "forbidden", "your access key is for names that start with " + prefix + ": choose such a name"));
        }
        return name;
    }

    boolean sees(String name) {
        return name.startsWith(prefix);
    }
}
