package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.Edit;
import dev.leasehold.agents.HookEvent.FileEdit;
import dev.leasehold.agents.HookEvent.Other;
import dev.leasehold.agents.HookEvent.Read;
import dev.leasehold.agents.HookEvent.Shell;
import dev.leasehold.agents.HookEvent.ToolUse;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the tools of agents do with files. */
final class AgentTools {
    private static final String[] PATH = {"file_path", "filePath", "path", "notebook_path", "absolute_path"};
    private static final List<String> WRITING =
            List.of("write", "edit", "create", "replace", "insert", "delete", "remove", "move", "rename", "patch");

    private AgentTools() {}

    static ToolUse read(JsonObject input) {
        String path = input.text(PATH);
        return path == null ? new Other() : new Read(List.of(path));
    }

    /** A tool that replaces one text by another. */
    static ToolUse replace(JsonObject input) {
        String path = input.require(PATH);
        String added = input.textOrEmpty("new_string", "newString", "new_str");
        for (JsonObject edit : input.objects("edits")) {
            // Later edits may change what earlier ones added.
            added = edit.textOrEmpty("new_string", "newString");
        }
        return new Edit(List.of(new FileEdit(path, added.isBlank() ? List.of() : List.of(added), null)));
    }

    static ToolUse write(JsonObject input) {
        String content = input.text("content", "file_text");
        return new Edit(List.of(new FileEdit(input.require(PATH), List.of(), content)));
    }

    /** An edit about which only the path is known. */
    static ToolUse change(JsonObject input) {
        return new Edit(List.of(new FileEdit(input.require(PATH), List.of(), null)));
    }

    static ToolUse patch(String patch) {
        return new Edit(PatchText.files(patch));
    }

    /** A command that only mentions the first line of a patch is a command. */
    static ToolUse shell(String command, boolean readsCount) {
        List<FileEdit> patched = PatchText.isIn(command) ? PatchText.find(command) : List.of();
        return patched.isEmpty() ? new Shell(command, readsCount) : new Edit(patched);
    }

    /**
     * A tool of somebody else. One that is called like an edit and has a path is taken for an edit:
     * refusing too much is safer than too little.
     */
    static ToolUse unknown(String tool, JsonObject input) {
        String name = tool.toLowerCase(Locale.ROOT);
        for (String word : WRITING) {
            if (name.contains(word)) {
                return input.text(PATH) == null ? new Other() : change(input);
            }
        }
        // Whatever else is called path in the input of a tool is its own business.
        return name.contains("read") || name.contains("view") ? read(input) : new Other();
    }

    /** An id for use in the record of a session: short, and without separators. */
    static String id(@Nullable String text) {
        if (text == null) {
            return "";
        }
        boolean plain = text.length() <= 100;
        for (int i = 0; i < text.length() && plain; i++) {
            plain = text.charAt(i) > 0x20 && text.charAt(i) < 0x7f;
        }
        return plain ? text : "sha256-" + FilePlace.sha256(text);
    }
}
