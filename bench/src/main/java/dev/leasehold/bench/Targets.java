package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Targets and measured values, as a table for the documentation. */
final class Targets {
    private final List<String> rows = new ArrayList<>();

    void atLeast(String work, double wanted, double measured) {
        add(work, "at least " + number(wanted), measured, measured >= wanted);
    }

    void atMost(String work, double wanted, double measured) {
        add(work, "at most " + number(wanted), measured, measured <= wanted);
    }

    private void add(String work, String wanted, double measured, boolean met) {
        rows.add("| " + work + " | " + wanted + " | " + number(measured) + " | " + (met ? "yes" : "**no**") + " |");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    void print() {
        System.out.println();
        System.out.println("| work | target | measured | met |");
        System.out.println("|---|---|---|---|");
        rows.forEach(System.out::println);
    }
}
