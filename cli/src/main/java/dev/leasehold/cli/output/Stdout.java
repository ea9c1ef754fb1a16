package dev.leasehold.cli.output;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The standard output of the process. Like {@code System.out}, but it also knows why a write failed
 * and whether a reader got anything.
 */
public final class Stdout extends PrintStream {
    private static final int BUFFER = 8192;
    private static final Path DESCRIPTOR = Path.of("/dev/fd/1");

    private final Recorder recorder;

    private Stdout(Recorder recorder) {
        super(new BufferedOutputStream(recorder, BUFFER), true, charset());
        this.recorder = recorder;
    }

    public static Stdout open() {
        return new Stdout(new Recorder());
    }

    /**
     * Why output was lost, or null. A reader that has seen enough and closes its pipe, such as
     * {@code head}, lost nothing.
     */
    @Nullable
    String lost() {
        IOException failure = checkError() ? recorder.failure : null;
        if (failure == null || (recorder.delivered && !Files.isRegularFile(DESCRIPTOR))) {
            return null;
        }
        return String.valueOf(failure.getMessage());
    }

    /** The charset of {@code System.out}, whose property has different names on JDK 17 and later. */
    private static Charset charset() {
        for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding", "native.encoding"}) {
            String name = System.getProperty(property);
            if (name != null) {
                try {
                    return Charset.forName(name);
                } catch (IllegalArgumentException unknown) {
                    return Charset.defaultCharset();
                }
            }
        }
        return Charset.defaultCharset();
    }

    /** A {@code PrintStream} swallows the exceptions of its stream, so they are recorded below it. */
    private static final class Recorder extends OutputStream {
        private final FileOutputStream to = new FileOutputStream(FileDescriptor.out);
        private volatile boolean delivered;
        private volatile @Nullable IOException failure;

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                to.write(bytes, offset, length);
                delivered = true;
            } catch (IOException e) {
                failure = failure == null ? e : failure;
                throw e;
            }
        }
    }
}
