package dev.leasehold.simulator;

import dev.leasehold.Leases;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.work.WorkLedger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A second copy of the engine and the simulator, with some files compiled from changed source. The
 * tests themselves stay unchanged.
 */
final class MutatedProgram extends URLClassLoader {
    private static final List<String> MODULES = List.of("core", "work", "jobs", "simulator");

    private final Map<String, byte[]> changed;

    private MutatedProgram(URL[] places, Map<String, byte[]> changed) {
        super(places, MutatedProgram.class.getClassLoader());
        this.changed = changed;
    }

    static MutatedProgram of(Mutation mutation) throws IOException, URISyntaxException {
        Map<Path, String> sources = new LinkedHashMap<>();
        for (Mutation.Edit edit : mutation.edits()) {
            Path file = sourceOf(edit.type());
            String source = sources.containsKey(file) ? sources.get(file) : Files.readString(file);
            int at = source.indexOf(edit.before());
            if (at < 0 || source.indexOf(edit.before(), at + 1) >= 0) {
                throw new AssertionError("expected exactly once in " + file + ": " + edit.before());
            }
            sources.put(file, source.replace(edit.before(), edit.after()));
        }
        return new MutatedProgram(
                new URL[] {place(Leases.class), place(WorkLedger.class), place(Jobs.class), place(Simulation.class)},
                compile(sources));
    }

    /** Found by its name, so that a class may move to another package. */
    private static Path sourceOf(String type) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                files.filter(file -> file.endsWith(type + ".java")).forEach(found::add);
            }
        }
        if (found.size() != 1) {
            throw new AssertionError("expected one source file of " + type + ", found " + found);
        }
        return found.get(0);
    }

    private static URL place(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static Map<String, byte[]> compile(Map<Path, String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(problems, null, null)) {
            InMemory files = new InMemory(standard);
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach((file, source) -> units.add(unit(file.toUri(), source)));
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
            if (!compiler.getTask(null, files, problems, options, null, units).call()) {
                throw new AssertionError("does not compile: "
                        + problems.getDiagnostics().stream()
                                .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
                                .toList());
            }
            return files.classes();
        }
    }

    private static JavaFileObject unit(URI name, String source) {
        return new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    /** Child first, unlike usual class loaders: the classes here win over the parent's. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.leasehold.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = changed.get(name);
        if (bytes != null) {
            return defineClass(name, bytes, 0, bytes.length);
        }
        return super.findClass(name);
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        InMemory(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }

        Map<String, byte[]> classes() {
            Map<String, byte[]> classes = new HashMap<>();
            written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }
}
