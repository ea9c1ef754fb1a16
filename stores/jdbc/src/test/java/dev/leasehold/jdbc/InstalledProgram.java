package dev.leasehold.jdbc;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Servers from the operating system's packages: their location, and a free port. */
final class InstalledProgram {
    private InstalledProgram() {}

    static String find(String program, String debianPackage) {
        for (String place : (System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin").split(":", -1)) {
            File file = new File(place, program);
            if (file.canExecute()) {
                return file.getPath();
            }
        }
        throw new IllegalStateException(program
                + " is not installed: run scripts/install-test-packages (Debian's package is " + debianPackage + ")");
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
