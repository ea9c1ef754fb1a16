package dev.leasehold.doctor;

import java.util.List;

/** The result of an examination: a grade and its reasons. */
public record Examination(Grade grade, List<Finding> findings) {}
