package dev.leasehold.guard;

import dev.leasehold.spi.Ids;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/** Content written beside its target, durable, with the target's mode, and not yet in place. */
record StagedFile(Path path, String digest) {
    private static final int BUFFER = 64 * 1024;

    static StagedFile write(FileTarget target, Ids ids, Content content, boolean withDigest) throws IOException {
        Path path = target.staged(ids.unique());
        boolean done = false;
        try (FileChannel channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), target.creationAttributes())) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
            String digest = "";
            if (withDigest) {
                MessageDigest sha = sha256();
                out = new DigestOutputStream(out, sha);
                content.writeTo(out);
                digest = HexFormat.of().formatHex(sha.digest());
            } else {
                content.writeTo(out);
            }
            out.flush();
            target.giveArtifactsMode(path, false);
            channel.force(true);
            done = true;
            return new StagedFile(path, digest);
        } finally {
            if (!done) {
                Files.deleteIfExists(path);
            }
        }
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    void discard() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // It is swept later; the answer to the caller matters more.
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
