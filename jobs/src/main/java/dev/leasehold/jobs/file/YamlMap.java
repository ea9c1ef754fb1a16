package dev.leasehold.jobs.file;

import dev.leasehold.internal.Nearest;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * A mapping of the file, read field by field. A wrong field is reported with its line and treated
 * as absent, so that the rest of the file is checked as well.
 */
final class YamlMap {
    private static final int MAX_SHOWN = 40;

    /** The words of the YAML library. */
    private static final String SECOND_DOCUMENT = "but found another document";

    private record Field(Node key, Node value) {}

    private final String path;
    private final Node node;
    private final Problems problems;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    private YamlMap(String path, MappingNode node, Problems problems) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        for (NodeTuple tuple : node.getValue()) {
            Node key = tuple.getKeyNode();
            if (!(key instanceof ScalarNode scalar)) {
                problems.add(key.getStartMark(), path, "a key must be a plain word");
                continue;
            }
            Field before = fields.putIfAbsent(scalar.getValue(), new Field(key, tuple.getValueNode()));
            if (before != null) {
                String first = before.key
                        .getStartMark()
                        .map(mark -> ", first on line " + (mark.getLine() + 1))
                        .orElse("");
                problems.add(key.getStartMark(), under(shown(scalar.getValue())), "is given twice" + first);
            }
        }
    }

    /** Returns null if the text is not a mapping; the problems say why. */
    static @Nullable YamlMap root(String text, Problems problems) {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setAllowRecursiveKeys(false)
                // BoundedParser limits the expanded size, not the number of aliases: a hundred jobs
                // may share a setting.
                .setMaxAliasesForCollections(BoundedParser.MAX_NODES)
                .build();
        try {
            Parser parser = new BoundedParser(new ParserImpl(settings, new StreamReader(settings, text)));
            Node root = new Composer(settings, parser).getSingleNode().orElse(null);
            if (root instanceof MappingNode mapping) {
                return new YamlMap("", mapping, problems);
            }
            problems.add(
                    root == null ? java.util.Optional.empty() : root.getStartMark(),
                    "",
                    "the file must hold 'jobs:' with the jobs under it");
        } catch (BoundedParser.OutOfBoundsException e) {
            problems.add(e.getProblemMark(), "", e.getProblem());
        } catch (MarkedYamlEngineException e) {
            problems.add(
                    e.getProblemMark(),
                    "",
                    e.getProblem().equals(SECOND_DOCUMENT)
                            ? "a second YAML document starts here, but a job file has only one: remove the line '---',"
                                    + " and put all jobs under one 'jobs:'"
                            : "this is not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            problems.add(java.util.Optional.empty(), "", "this is not YAML: " + e.getMessage());
        }
        return null;
    }

    /** Reports every other key, with a suggestion if one is similar. */
    void allow(List<String> keys) {
        fields.forEach((key, field) -> {
            if (!keys.contains(key)) {
                problems.add(
                        field.key.getStartMark(),
                        under(shown(key)),
                        "is not known here" + Nearest.suggestion(key, keys, "") + "; known are "
                                + String.join(", ", keys));
            }
        });
    }

    boolean has(String key) {
        return fields.containsKey(key);
    }

    /** Reports a problem of the mapping as a whole. */
    void problem(String what) {
        problems.add(node.getStartMark(), path, what);
    }

    void problem(String key, String what) {
        Field field = fields.get(key);
        problems.add(field == null ? node.getStartMark() : field.key.getStartMark(), under(key), what);
    }

    /** The parsed field; null if it is absent or wrong. */
    <T> @Nullable T value(String key, Function<String, T> parser) {
        Field field = fields.get(key);
        if (field == null) {
            return null;
        }
        if (!(field.value instanceof ScalarNode scalar) || scalar.getTag().equals(Tag.NULL)) {
            problem(key, "must be a single value");
            return null;
        }
        try {
            return parser.apply(scalar.getValue());
        } catch (IllegalArgumentException e) {
            problems.add(scalar.getStartMark(), under(key), String.valueOf(e.getMessage()));
            return null;
        }
    }

    String text(String key, String otherwise) {
        String given = value(key, Function.identity());
        return given == null ? otherwise : given;
    }

    @Nullable
    Duration duration(String key) {
        return value(key, text -> {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + shown(text) + "': " + e.getMessage(), e);
            }
        });
    }

    Duration duration(String key, Duration otherwise) {
        Duration given = duration(key);
        return given == null ? otherwise : given;
    }

    int number(String key, int least, int most, int otherwise) {
        Integer given = value(key, text -> number(text, least, most));
        return given == null ? otherwise : given;
    }

    static int number(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported like a number out of range.
        }
        throw new IllegalArgumentException("'" + shown(text) + "': write a whole number from " + least + " to " + most);
    }

    /** The mapping under a key; null if there is none. */
    @Nullable
    YamlMap map(String key) {
        Field field = fields.get(key);
        return field != null && field.value instanceof MappingNode mapping
                ? new YamlMap(under(key), mapping, problems)
                : null;
    }

    /** The mappings under a required key, by name. */
    Map<String, YamlMap> maps(String key) {
        YamlMap all = map(key);
        Map<String, YamlMap> found = new LinkedHashMap<>();
        if (all == null) {
            problem(key, "must be there, and hold one entry for each job: its name and its fields");
            return found;
        }
        for (String each : all.fields.keySet()) {
            YamlMap map = all.map(each);
            if (map == null) {
                all.problem(each, "must hold the fields of the job");
            } else {
                found.put(each, map);
            }
        }
        return found;
    }

    /** The elements of a list; empty if it is absent or wrong. */
    List<String> list(String key, String otherwise) {
        Field field = fields.get(key);
        List<String> found = new ArrayList<>();
        if (field == null) {
            return found;
        }
        if (!(field.value instanceof SequenceNode sequence)
                || sequence.getValue().isEmpty()) {
            problem(key, otherwise);
            return found;
        }
        for (Node each : sequence.getValue()) {
            if (each instanceof ScalarNode scalar) {
                found.add(scalar.getValue());
            } else {
                problems.add(each.getStartMark(), under(key), otherwise);
            }
        }
        return found;
    }

    /** The values of the mapping under a key, by name. */
    Map<String, String> texts(String key) {
        Map<String, String> found = new LinkedHashMap<>();
        YamlMap all = map(key);
        if (all == null) {
            if (has(key)) {
                problem(key, "must hold names and values");
            }
            return found;
        }
        for (String each : all.fields.keySet()) {
            String value = all.value(each, Function.identity());
            if (value != null) {
                found.put(each, value);
            }
        }
        return found;
    }

    private String under(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    static String shown(String text) {
        return Text.shown(text, MAX_SHOWN);
    }
}
