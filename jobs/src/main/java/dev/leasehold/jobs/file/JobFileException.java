package dev.leasehold.jobs.file;

import java.util.List;

/** The job file has mistakes. */
public final class JobFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    JobFileException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    /** One line each: {@code file:line: field: what is wrong and what is allowed}. */
    public List<String> problems() {
        return problems;
    }
}
