package dev.leasehold.fence;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of one or more records, from memory or from a file, read in pieces. */
@FunctionalInterface
interface RecordBytes {
    int PIECE = 64 * 1024;

    /** The piece that begins at this byte; empty at the end. */
    ByteBuffer read(long from) throws IOException;

    static RecordBytes of(byte[] text) {
        return from -> ByteBuffer.wrap(text, (int) from, text.length - (int) from);
    }

    static RecordBytes of(FileChannel file) {
        return from -> {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            while (piece.hasRemaining() && file.read(piece, from + piece.position()) > 0) {}
            return piece.flip();
        };
    }
}
