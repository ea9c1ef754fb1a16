package dev.leasehold.agents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent reports, in the terms of all agents.
 *
 * @param name the event as the agent calls it, for the answer
 * @param session identifies the session; a restarted agent may have the same one
 * @param agent identifies a subagent; empty for the main agent of the session
 * @param cwd the directory of the agent; relative paths start there
 * @param call identifies the tool call, so that its end can be matched; may be empty
 */
public record HookEvent(
        Kind kind, String name, String session, String agent, String cwd, String call, @Nullable ToolUse tool) {
    /** When it happens. */
    public enum Kind {
        SESSION_START,
        /** A tool is about to run, and can be refused. */
        BEFORE,
        AFTER,
        /** The tool ran and failed, or was not run. */
        FAILED,
        AGENT_STOP,
        STOP,
        SESSION_END,
        /** Anything else: it only renews leases. */
        OTHER
    }

    /** What a tool does with files. */
    public sealed interface ToolUse {}

    /** Reads files. */
    public record Read(List<String> paths) implements ToolUse {}

    /** Changes files, all or none. */
    public record Edit(List<FileEdit> files) implements ToolUse {}

    /**
     * Runs a shell command. What it does is not known.
     *
     * @param readsCount whether naming a file counts as reading it, for agents that have no other
     *     way to read
     */
    public record Shell(String command, boolean readsCount) implements ToolUse {}

    /** A tool that has nothing to do with files. */
    public record Other() implements ToolUse {}

    /**
     * A file that an edit changes.
     *
     * @param evidence texts that the file contains after the edit
     * @param whole the complete content after the edit, if it is known
     */
    public record FileEdit(String path, List<String> evidence, @Nullable String whole) {}

    /** The tool of an event that has one. */
    ToolUse toolUse() {
        ToolUse use = tool;
        return use == null ? new Other() : use;
    }
}
