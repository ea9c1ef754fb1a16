package dev.leasehold.git;

import java.nio.file.Path;

/**
 * Makes one fenced push in a separate process, which can be killed: {@code DIRECTORY REMOTE
 * TOKEN REFSPEC}.
 */
final class PushMain {
    private PushMain() {}

    public static void main(String[] args) {
        System.out.println(GitFence.at(Path.of(args[0]), args[1])
                .admit(GitFenceTest.grant(Long.parseLong(args[2])), GitPush.of(args[3])));
    }
}
