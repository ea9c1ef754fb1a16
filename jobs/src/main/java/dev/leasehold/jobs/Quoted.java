package dev.leasehold.jobs;

import dev.leasehold.model.Text;

/** Text from outside as it may be repeated in a message. */
final class Quoted {
    private static final int MAX_SHOWN = 60;

    private Quoted() {}

    static String of(String text) {
        return "'" + Text.shown(text, MAX_SHOWN) + "'";
    }
}
