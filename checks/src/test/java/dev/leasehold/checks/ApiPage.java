package dev.leasehold.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of {@code docs/api.md}: every public type that a published module exports, with the first sentence of its Javadoc. */
final class ApiPage {
    static final List<String> MODULES = List.of(
            "core",
            "work",
            "git",
            "jobs",
            "events",
            "metrics",
            "stores/jdbc",
            "stores/redis",
            "stores/etcd",
            "stores/zookeeper",
            "stores/nats",
            "stores/aws",
            "stores/durable-objects",
            "stores/firestore",
            "client",
            "mcp",
            "server",
            "servlet",
            "spring/shedlock",
            "spring/tx",
            "spring/boot-starter",
            "spring/test",
            "testkit");
    private static final Pattern EXPORTED = Pattern.compile("\\n    exports ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile(
            "(?m)^(?:/\\*\\*((?s:.*?))\\*/\\s+)?(?:@\\w+(?:\\([^)]*\\))?\\s+)*"
                    + "public (?:abstract |final |sealed |non-sealed )*(class|interface|record|enum|@interface) (\\w+)");
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@(?:code|link|linkplain)\\s+([^}]*)}");

    private ApiPage() {}

    static String text() throws IOException {
        StringBuilder page = new StringBuilder(
                """
                # The public API on one page

                The public types of the packages that the published modules export. Everything else is internal and may change without notice.
                `ApiPageTest` compares this page with the code; `-Dleasehold.api.write=true` regenerates it.
                """);
        for (String module : MODULES) {
            Path sources = SourceTree.ROOT.resolve(module).resolve("src/main/java");
            String artifact = PublishedModulesTest.artifact(module);
            page.append("\n## `").append(artifact).append("`\n");
            for (String name : exported(sources)) {
                Map<String, String> types = types(sources.resolve(name.replace('.', '/')));
                page.append("\n### ").append(name).append("\n\n");
                types.forEach((type, sentence) -> page.append("- `")
                        .append(type)
                        .append("`: ")
                        .append(sentence)
                        .append('\n'));
            }
        }
        return page.toString();
    }

    static List<String> exported(Path sources) throws IOException {
        List<String> names = new ArrayList<>();
        Path descriptor = sources.resolve("module-info.java");
        if (!Files.exists(descriptor)) {
            // The libraries of this module do not permit a descriptor. It has one package, named as its folder.
            return List.of("dev.leasehold."
                    + SourceTree.ROOT.relativize(sources).getName(1).toString());
        }
        Matcher found = EXPORTED.matcher(Files.readString(descriptor));
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }

    private static Map<String, String> types(Path directory) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (var files = Files.list(directory)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                Matcher type = TYPE.matcher(Files.readString(file));
                if (type.find()) {
                    found.put(type.group(3), firstSentence(type.group(1)));
                }
            }
        }
        return found;
    }

    private static String firstSentence(String javadoc) {
        if (javadoc == null) {
            return "(has no Javadoc)";
        }
        String text = javadoc.replaceAll("\\n\\s*\\*", " ").replaceAll("<[^>]+>", " ");
        text = INLINE_TAG
                .matcher(text)
                .replaceAll("`$1`")
                .replaceAll("\\s+", " ")
                .strip();
        int end = text.indexOf(". ");
        int tag = text.indexOf(" @");
        end = end < 0 ? text.length() : end + 1;
        return text.substring(0, tag < 0 ? end : Math.min(end, tag))
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .strip();
    }
}
