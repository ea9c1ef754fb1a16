package dev.leasehold.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file whose first line is a password. Command lines and environments are visible to more people than a file is. */
public final class PasswordFile {
    /** A larger file is something else, and is not read. */
    private static final int MAX_BYTES = 10_000;

    private PasswordFile() {}

    /**
     * The first line, without the end of the line.
     *
     * @throws IllegalArgumentException if there is none; the message contains nothing of the file
     */
    public static String read(Path file) {
        try {
            byte[] bytes = start(file);
            if (bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "the password file " + file + " is not a file with a password in its first line");
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            String line = end < 0 ? text : text.substring(0, end);
            String password = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
            if (password.isEmpty()) {
                throw new IllegalArgumentException(
                        "the password file " + file + " has no password: its first line is empty");
            }
            return password;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the password file " + file + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IllegalArgumentException("the password file " + file + " may not be read by this user", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the password file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** One byte more than a password file has, if there are more. A device has no size, and may have no end. */
    private static byte[] start(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }
}
