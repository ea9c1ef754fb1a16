package dev.leasehold.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the Java examples in the documents compile. */
class JavaPageTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    /** The imports and members that the examples assume. */
    private static final String FRAME =
            """
            import static org.assertj.core.api.Assertions.assertThat;
            import dev.leasehold.*;
            import dev.leasehold.fence.*;
            import dev.leasehold.http.*;
            import dev.leasehold.jdbc.*;
            import dev.leasehold.jobs.*;
            import dev.leasehold.metrics.*;
            import dev.leasehold.model.*;
            import dev.leasehold.redis.*;
            import dev.leasehold.servlet.*;
            import dev.leasehold.shedlock.*;
            import dev.leasehold.spi.*;
            import dev.leasehold.spring.*;
            import dev.leasehold.spring.tx.*;
            import dev.leasehold.store.*;
            import dev.leasehold.testkit.*;
            import dev.leasehold.work.*;
            import io.micrometer.core.instrument.MeterRegistry;
            import jakarta.servlet.*;
            import jakarta.servlet.http.*;
            import java.io.*;
            import java.net.URI;
            import java.net.http.*;
            import java.net.http.HttpRequest.BodyPublishers;
            import java.net.http.HttpResponse.BodyHandlers;
            import java.nio.file.Path;
            import java.sql.Connection;
            import java.time.*;
            import java.util.Set;
            import javax.sql.DataSource;
            import net.javacrumbs.shedlock.core.*;
            import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
            import org.springframework.context.annotation.Bean;
            import org.springframework.scheduling.annotation.Scheduled;
            import org.springframework.transaction.annotation.Transactional;

            abstract class EXAMPLE {
                DataSource pool;
                LeaseStore store;
                Lease lease;
                Leases leases;
                String page;
                MeterRegistry registry;
                HttpClient http;
                URI ledger;
                ServletContext context;
                JdbcFence fence;
                HttpServletRequest request;
                HttpServletResponse response;

                abstract int publish(Grant grant);
                abstract String render();
                abstract void writeInvoices(Connection connection);
                abstract void writeEntry(Connection connection, HttpServletRequest request);
                abstract void stopWork(String why);
                abstract void stopWhateverIsRunning();
                abstract void report(Instant at);
                abstract LockProvider formerProvider();

                void example() throws Exception {
            CODE
                }
            MEMBERS
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/java.md", "docs/metrics.md", "docs/services.md", "docs/shedlock.md"})
    void everyExampleCompiles(String document, @TempDir Path folder) throws Exception {
        List<JavaFileObject> examples = new ArrayList<>();
        Matcher found = EXAMPLE.matcher(Files.readString(SourceTree.ROOT.resolve(document)));
        while (found.find()) {
            int number = examples.size() + 1;
            String code = found.group(1);
            // Annotated methods, or else statements.
            boolean members = code.startsWith("@");
            examples.add(new Source(
                    "Example" + number,
                    FRAME.replace("EXAMPLE", "Example" + number)
                            .replace("CODE", members ? "" : code)
                            .replace("MEMBERS", members ? code : "")));
        }
        assertThat(examples).isNotEmpty();

        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Writer messages = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-d", folder.toString(), "-classpath", System.getProperty("java.class.path"));
        assertThat(compiler.getTask(messages, null, null, options, null, examples)
                        .call())
                .as(messages.toString())
                .isTrue();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
