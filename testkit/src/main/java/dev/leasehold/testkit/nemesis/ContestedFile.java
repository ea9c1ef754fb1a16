package dev.leasehold.testkit.nemesis;

import dev.leasehold.fence.Content;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.UUID;

/** A fenced file, for stores that have no target of their own. */
public record ContestedFile(LeaseStore store, Path target) implements ContestedTarget {
    private FencedFile fence() {
        return FencedFile.at(target).waitingAtMost(Duration.ofSeconds(3));
    }

    @Override
    public Admission raise(Grant grant) {
        return fence().raise(grant);
    }

    @Override
    public Admission admit(Grant grant, String content) {
        return fence().admit(grant, Content.of(content));
    }

    @Override
    public String read() {
        try {
            return Files.exists(target) ? Files.readString(target) : "";
        } catch (IOException e) {
            throw new TargetUnavailableException("the target cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void overwrite(String content) {
        try {
            Path temporary = target.resolveSibling("plain-" + UUID.randomUUID());
            Files.writeString(temporary, content);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new TargetUnavailableException("the target cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
