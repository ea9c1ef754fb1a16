package dev.leasehold.doctor;

import java.util.List;

/** The result: a grade, and what it rests on. */
public record Examination(Grade grade, List<Finding> findings) {}
