package dev.leasehold.jobs;

/** Text from outside as it may be repeated in a message: not endless. Whoever prints it escapes what a terminal obeys. */
final class Quoted {
    private static final int MAX_SHOWN = 60;

    private Quoted() {}

    static String of(String text) {
        return "'" + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...") + "'";
    }
}
