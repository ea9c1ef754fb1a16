package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The store of one's own that {@code docs/stores.md} shows, made into a jar as the document tells. */
final class DocumentedStore {
    private static final String SERVICE = "META-INF/services/dev.leasehold.spi.StoreProvider";

    private DocumentedStore() {}

    /**
     * @param jars those of the program
     * @param directory receives the jar
     */
    static Path jar(String document, Path jars, Path directory) throws IOException {
        String source = document.replaceAll("(?s).*```java\n(package com\\.example;.*?)```.*", "$1");
        Path file = Files.writeString(directory.resolve("TableStore.java"), source);
        Path classes = Files.createDirectory(directory.resolve("classes"));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", classPath(jars), "-d", classes.toString(), file.toString());
        assertThat(failed).as("compiling the documented store").isZero();
        Path service = classes.resolve(SERVICE);
        Files.createDirectories(service.getParent());
        Files.writeString(service, document.replaceAll("(?s).*echo '([^']*)' > classes/" + SERVICE + ".*", "$1"));
        Path jar = directory.resolve("table-store.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
        return jar;
    }

    /** The compiler's command line expands an asterisk, its API does not. */
    private static String classPath(Path jars) throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** A database with the table, and the URL of the store in it. */
    static String database(Path file) throws SQLException {
        String url = "jdbc:h2:" + file;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table leasehold (name varchar(400) primary key, content varchar not null,"
                    + " version varchar(40) not null)");
        }
        return "table:" + url + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
    }
}
