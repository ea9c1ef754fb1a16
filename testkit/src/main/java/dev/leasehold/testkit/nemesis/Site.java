package dev.leasehold.testkit.nemesis;

import java.util.OptionalInt;

/**
 * The place of the store and its target, as the test sees it. Closed after the last holder has
 * ended.
 */
public interface Site extends AutoCloseable {
    /** The port of the server on the loopback address; empty if there is no server. */
    OptionalInt port();

    /**
     * The address of the place for holders.
     *
     * @param port the port of a link to the server, which the test can cut; 0 without a server
     */
    String address(int port);

    /** Kills the server as a crash would, and starts it again with its durable data. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;

    /** A store without a server, such as files. */
    static Site withoutServer(String address) {
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.empty();
            }

            @Override
            public String address(int port) {
                return address;
            }

            @Override
            public void restart() {
                throw new UnsupportedOperationException("there is no server to restart");
            }

            @Override
            public void close() {}
        };
    }
}
