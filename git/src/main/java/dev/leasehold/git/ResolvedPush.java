package dev.leasehold.git;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A push whose sources are resolved.
 *
 * @param refspecs refspecs with full names on both sides
 * @param digest the digest of the pushed object ids and their destinations
 */
record ResolvedPush(List<String> refspecs, String digest) {
    /**
     * Resolves the sources in the user's repository.
     *
     * @param pinned whether to push the resolved objects even if a branch moves meanwhile: a push
     *     that may happen only once must match its digest
     * @throws IllegalArgumentException if this is not a repository, or a source cannot be found, or
     *     its destination is ambiguous
     */
    static ResolvedPush of(Git git, GitPush push, boolean pinned) {
        List<GitPush.Refspec> specs = push.refspecs();
        Git.Command command = git.here("rev-parse");
        for (GitPush.Refspec spec : specs) {
            command.add(spec.source());
        }
        command.add("--symbolic-full-name");
        for (GitPush.Refspec spec : specs) {
            if (needsName(spec)) {
                command.add(spec.source());
            }
        }
        Git.Result answer = command.inEnglish().run();
        List<String> found = answer.out().lines().toList();
        long names = specs.stream().filter(ResolvedPush::needsName).count();
        if (!answer.ok()) {
            throw new IllegalArgumentException(unresolved(specs, answer.message()) + ". Nothing was pushed");
        }
        if (found.size() != specs.size() + names) {
            throw new IllegalArgumentException("what to push is ambiguous, so nothing was pushed: a source is not"
                    + " exactly one branch or tag; write SOURCE:refs/heads/NAME");
        }
        List<String> refspecs = new ArrayList<>();
        StringBuilder summary = new StringBuilder();
        int nextName = specs.size();
        for (int i = 0; i < specs.size(); i++) {
            GitPush.Refspec spec = specs.get(i);
            String name = needsName(spec) ? found.get(nextName++) : spec.source();
            String destination = destination(spec, name);
            String source = pinned ? found.get(i) : name;
            refspecs.add((spec.force() ? "+" : "") + source + ":" + destination);
            summary.append(found.get(i)).append(' ').append(destination).append('\n');
        }
        return new ResolvedPush(refspecs, Sha256.hex(summary.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Explains an error of {@code git rev-parse}, whose own words are about its command line. */
    private static String unresolved(List<GitPush.Refspec> specs, String message) {
        if (message.contains("not a git repository")) {
            return "this is not a git repository: change to the repository that has the commits";
        }
        for (GitPush.Refspec spec : specs) {
            if (message.contains("ambiguous argument '" + spec.source() + "': unknown revision")) {
                return "'" + spec.source() + "' is not a branch, tag or commit here; 'git branch' lists the branches";
            }
        }
        return "git cannot find what to push: " + message;
    }

    private static boolean needsName(GitPush.Refspec spec) {
        return spec.destination() == null || !spec.destination().startsWith("refs/");
    }

    private static String destination(GitPush.Refspec spec, String name) {
        if (!needsName(spec)) {
            return String.valueOf(spec.destination());
        }
        boolean branchOrTag = name.startsWith("refs/heads/") || name.startsWith("refs/tags/");
        if (spec.destination() == null) {
            if (!branchOrTag || FenceRef.isFence(name)) {
                throw new IllegalArgumentException(
                        "'" + spec.source() + "' is " + name + ", which is not a branch or tag that can be"
                                + " pushed under the same name; write SOURCE:refs/heads/NAME. Nothing was pushed");
            }
            return name;
        }
        return (name.startsWith("refs/tags/") ? "refs/tags/" : "refs/heads/") + spec.destination();
    }
}
