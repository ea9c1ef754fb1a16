package dev.leasehold.git;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to push: git refspecs, {@code [+]SOURCE[:DESTINATION]}. A source without a destination goes
 * to the same name. A fenced push accepts no patterns and no deletions, and no refspec that touches
 * a fence.
 */
public final class GitPush {
    private static final int MAX_REFSPECS = 1000;

    private final List<Refspec> refspecs;

    private GitPush(List<Refspec> refspecs) {
        this.refspecs = refspecs;
    }

    /** @throws IllegalArgumentException if a text is not a refspec, or could bypass the fence */
    public static GitPush of(List<String> texts) {
        if (texts.isEmpty() || texts.size() > MAX_REFSPECS) {
            throw new IllegalArgumentException("name what to push: from 1 to " + MAX_REFSPECS + " refspecs");
        }
        List<Refspec> refspecs = new ArrayList<>();
        for (String text : texts) {
            refspecs.add(Refspec.parse(text));
        }
        return new GitPush(List.copyOf(refspecs));
    }

    public static GitPush of(String... texts) {
        return of(List.of(texts));
    }

    List<Refspec> refspecs() {
        return refspecs;
    }

    /**
     * One refspec.
     *
     * @param force whether it may move a branch back, written as {@code +}; the fence is never
     *     moved back
     * @param destination null for the name of the source
     */
    record Refspec(boolean force, String source, @Nullable String destination) {
        static Refspec parse(String text) {
            boolean force = text.startsWith("+");
            String rest = force ? text.substring(1) : text;
            int colon = rest.indexOf(':');
            String source = colon < 0 ? rest : rest.substring(0, colon);
            String destination = colon < 0 ? null : rest.substring(colon + 1);
            requirePlain(text);
            if (rest.isEmpty() || rest.equals(":")) {
                throw bad(text, "names no branch: write which ones to push");
            }
            if (source.isEmpty()) {
                throw bad(text, "would delete a branch: a fenced push cannot delete");
            }
            if (destination != null && (destination.isEmpty() || destination.indexOf(':') >= 0)) {
                throw bad(text, "is not SOURCE:DESTINATION");
            }
            String full = destination == null ? null : full(destination);
            if (FenceRef.isFence(full == null ? full(source) : full) || FenceRef.isFence("refs/heads/" + full)) {
                throw bad(text, "touches a fence: only Leasehold itself may move refs/leasehold/* and leasehold/*");
            }
            return new Refspec(force, source, full);
        }

        private static void requirePlain(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c <= 0x20 || c == 0x7f) {
                    throw bad(text, "has a space or control character");
                }
            }
            if (text.startsWith("-") || text.startsWith("+-") || text.startsWith("^")) {
                throw bad(text, "starts with " + text.charAt(0) + ", which no ref to push can");
            }
            if (text.indexOf('*') >= 0) {
                throw bad(text, "is a pattern: name each ref, so that it is clear what is pushed");
            }
        }

        /** Git also accepts {@code heads/x} and {@code tags/x}. */
        private static String full(String name) {
            return name.startsWith("heads/") || name.startsWith("tags/") ? "refs/" + name : name;
        }

        private static IllegalArgumentException bad(String text, String why) {
            String shown = text.length() <= 80 ? text : text.substring(0, 80) + "...";
            return new IllegalArgumentException("refspec '" + shown + "' " + why + "; nothing was pushed");
        }
    }
}
