package dev.leasehold.mcp;

/** Ends a call of a tool with a result that is not an answer. */
final class ToolFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ToolResult result;

    ToolFailure(ToolResult result) {
        super(null, null, false, false);
        this.result = result;
    }

    ToolResult result() {
        return result;
    }
}
