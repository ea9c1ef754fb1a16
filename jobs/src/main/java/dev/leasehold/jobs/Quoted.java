package dev.leasehold.jobs;

import dev.leasehold.model.Text;

/** Quotes text from outside for use in a message. */
final class Quoted {
    private static final int MAX_SHOWN = 60;

    private Quoted() {}

    static String of(String text) {
        return "'" + Text.shown(text, MAX_SHOWN) + "'";
    }
}
