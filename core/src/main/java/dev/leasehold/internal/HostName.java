package dev.leasehold.internal;

import dev.leasehold.model.Text;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The name of this host, for people to read. Read from the kernel where possible, because a name
 * server may be slow.
 */
public final class HostName {
    private static final int MAX_LENGTH = 63;

    private HostName() {}

    public static String get() {
        String name = read();
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < Math.min(MAX_LENGTH, name.length()); i++) {
            char c = name.charAt(i);
            safe.append(c != ' ' && Text.isPrintable(c) ? c : '_');
        }
        return safe.isEmpty() ? "unknown-host" : safe.toString();
    }

    private static String read() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException | RuntimeException e) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "";
            }
        }
    }
}
