package dev.leasehold.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The series that processes show to Prometheus. Finds what an expression asks for and no process shows. */
final class ExposedMetrics {
    private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\w+) \\w+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern SELECTOR = Pattern.compile("\\b((?:leasehold|jvm)[\\w:]*)(?:\\{([^}]*)})?");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring) \\(([^)]*)\\)");

    /** What Prometheus itself adds. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    /** The values of each label of each series. */
    private final Map<String, Map<String, Set<String>>> series = new TreeMap<>();

    private final Set<String> families = new TreeSet<>();

    void add(String scrape) {
        Matcher line = SERIES.matcher(scrape);
        while (line.find()) {
            Map<String, Set<String>> labels = series.computeIfAbsent(line.group(1), name -> new TreeMap<>());
            Matcher label = LABEL.matcher(line.group(2) == null ? "" : line.group(2));
            while (label.find()) {
                labels.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(3));
            }
        }
        Matcher family = FAMILY.matcher(scrape);
        while (family.find()) {
            families.add(family.group(1));
        }
    }

    /** A series that a rule records. */
    void record(String name) {
        series.put(name, new TreeMap<>());
    }

    /** The names of our own metrics, without the suffixes of their parts. */
    Set<String> families() {
        Set<String> own = new TreeSet<>(families);
        own.removeIf(name -> !name.startsWith("leasehold_") || name.endsWith("_max"));
        return own;
    }

    /** What the expression asks for and no process shows. */
    List<String> unknownIn(String expression) {
        List<String> unknown = new ArrayList<>();
        Set<String> labels = new TreeSet<>(ADDED);
        Matcher selector = SELECTOR.matcher(expression);
        while (selector.find()) {
            Map<String, Set<String>> known = series.get(selector.group(1));
            if (known == null) {
                unknown.add(selector.group(1));
                continue;
            }
            labels.addAll(known.keySet());
            Matcher matcher = LABEL.matcher(selector.group(2) == null ? "" : selector.group(2));
            while (matcher.find()) {
                unknown.addAll(unknownIn(selector.group(1), known, matcher.group(1), matcher.group(3)));
            }
        }
        Matcher grouping = GROUPING.matcher(expression);
        while (grouping.find()) {
            Arrays.stream(grouping.group(1).split(", ", -1))
                    .filter(label -> !labels.contains(label))
                    .forEach(unknown::add);
        }
        return unknown;
    }

    private static List<String> unknownIn(
            String name, Map<String, Set<String>> known, String label, String alternatives) {
        if (ADDED.contains(label)) {
            return List.of();
        }
        Set<String> values = known.getOrDefault(label, Set.of());
        return Arrays.stream(alternatives.split("\\|", -1))
                .filter(value -> !values.contains(value))
                .map(value -> name + " with " + label + " " + value)
                .toList();
    }
}
