package dev.leasehold.agents;

import dev.leasehold.agents.HookEvent.FileEdit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a patch in the format of {@code apply_patch}. */
final class PatchText {
    private static final String BEGIN = "*** Begin Patch";
    private static final String ADD = "*** Add File: ";
    private static final String UPDATE = "*** Update File: ";
    private static final String DELETE = "*** Delete File: ";
    private static final String MOVE = "*** Move to: ";

    private final List<FileEdit> files = new ArrayList<>();
    private @Nullable String path;
    private boolean whole;
    private final StringBuilder added = new StringBuilder();
    private final List<String> blocks = new ArrayList<>();

    private PatchText() {}

    static boolean isIn(String text) {
        return text.contains(BEGIN);
    }

    /** @throws IllegalArgumentException if there is no file in it */
    static List<FileEdit> files(String patch) {
        List<FileEdit> files = find(patch);
        if (files.isEmpty()) {
            throw new IllegalArgumentException("the patch names no file");
        }
        return files;
    }

    /** The files of the patch; none if the text is not one. */
    static List<FileEdit> find(String patch) {
        PatchText reader = new PatchText();
        for (String line : patch.split("\r?\n", -1)) {
            reader.read(line);
        }
        reader.endFile();
        return reader.files;
    }

    private void read(String line) {
        String found = after(line, ADD);
        if (found != null) {
            startFile(found, true);
            return;
        }
        found = after(line, UPDATE);
        if (found != null) {
            startFile(found, false);
            return;
        }
        found = after(line, DELETE);
        if (found != null) {
            startFile(found, false);
            endFile();
            return;
        }
        found = after(line, MOVE);
        if (found != null && path != null) {
            // The old path is gone afterwards, and the new one has the content.
            String to = found;
            files.add(new FileEdit(path, List.of(), null));
            path = to;
        } else if (line.startsWith("+")) {
            added.append(line, 1, line.length()).append('\n');
        } else if (!whole) {
            endBlock();
        }
    }

    private static @Nullable String after(String line, String prefix) {
        String trimmed = line.strip();
        return trimmed.startsWith(prefix) ? trimmed.substring(prefix.length()).strip() : null;
    }

    private void startFile(String name, boolean added) {
        endFile();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a file of the patch has no name");
        }
        path = name;
        whole = added;
    }

    private void endBlock() {
        if (!added.toString().isBlank()) {
            blocks.add(added.toString().stripTrailing());
        }
        added.setLength(0);
    }

    private void endFile() {
        if (path != null) {
            String content = whole ? added.toString() : null;
            if (content == null) {
                endBlock();
            }
            files.add(new FileEdit(path, List.copyOf(blocks), content));
        }
        path = null;
        added.setLength(0);
        blocks.clear();
    }
}
