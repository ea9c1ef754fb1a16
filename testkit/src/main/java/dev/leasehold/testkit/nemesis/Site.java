package dev.leasehold.testkit.nemesis;

import java.util.OptionalInt;

/** Where the store and its target are, as the test sees them. Closed after the last holder is gone. */
public interface Site extends AutoCloseable {
    /** The port of the store's server on the loopback address; empty if there is no server. */
    OptionalInt port();

    /**
     * What holders are told of the place.
     *
     * @param port where they find the server, which is not its own one: a link that can be cut lies between; 0 without a server
     */
    String address(int port);

    /** Kills the server as a crash would, and starts it again with what it had kept. */
    void restart() throws Exception;

    @Override
    void close() throws Exception;

    /** A store that is no server, but files or the like. */
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
