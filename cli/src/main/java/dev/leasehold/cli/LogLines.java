package dev.leasehold.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;

/**
 * What the library logs because nobody else can be told, such as a renewed certificate that cannot be used: one message of the
 * program each. Drivers log what they also throw, and the program reports that itself, so they are silent.
 *
 * <p>The JDK loads this when something is logged for the first time; a command that logs nothing starts without it.
 */
public final class LogLines extends Handler {
    /** The configuration of the JDK's log: no handler but ours, and that for our own messages only. */
    public static final class Configuration {
        public Configuration() throws IOException {
            String ours = "dev.leasehold.handlers=" + LogLines.class.getName();
            LogManager.getLogManager()
                    .readConfiguration(new ByteArrayInputStream(ours.getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
            Throwable why = logged.getThrown();
            String reason = why == null ? "" : ": " + (why.getMessage() == null ? why : why.getMessage());
            Main.console().error("warning: " + logged.getMessage() + reason);
        }
    }

    /** Each message is written at once. */
    @Override
    public void flush() {}

    @Override
    public void close() {}
}
