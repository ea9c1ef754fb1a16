package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner.Result;
import java.util.List;

/**
 * A mistake, and its message in one line: what happened, and what to do.
 *
 * @param store the URL in the environment
 * @param what what the message says has happened
 * @param remedy what it says to do
 */
record Mistake(String title, String store, List<String> command, int code, String what, String remedy) {
    /** A password that no message may show. */
    static final String WRONG_PASSWORD = "wr0ng-password";

    /** A mistake in the URL, which every command shows. */
    static Mistake of(String title, String store, int code, String what, String remedy) {
        return new Mistake(title, store, List.of("status"), code, what, remedy);
    }

    /** A mistake that no URL shows. */
    static Mistake of(int code, String what, String remedy) {
        return of("", "", code, what, remedy);
    }

    void assertExplained(Result result) {
        assertThat(result.code()).as(result.err()).isEqualTo(code);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("leasehold: ")
                .hasLineCount(1)
                .contains(what, remedy)
                .doesNotContain("Exception", "\tat ", "unknown whether", WRONG_PASSWORD, GuardedServers.PASSWORD);
    }

    @Override
    public String toString() {
        return title;
    }
}
