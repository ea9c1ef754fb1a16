package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language in which the launcher starts the program. */
class LauncherLanguageTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));

    /** As an installation finds it: which language the program runs in, by that of its caller and by what is not ASCII. */
    @ParameterizedTest
    @CsvSource({
        "/opt/app, C, report, C",
        "/opt/app, C, gr\\0303\\0274n, C.UTF-8",
        "/opt/app, POSIX, gr\\0303\\0274n, C.UTF-8",
        "/opt/app, de_DE.UTF-8, gr\\0303\\0274n, de_DE.UTF-8",
        "/opt/app, de_DE.ISO-8859-1, gr\\0303\\0274n, de_DE.ISO-8859-1",
        "/opt/gr\\0303\\0274n, de_DE.ISO-8859-1, report, C.UTF-8"
    })
    void theProgramReadsWhatItIsGiven(String home, String language, String argument, String expected) throws Exception {
        // The script decodes them, because this JVM may run in a language that has no such letter.
        String script = "source ./leasehold; home=$(printf %b \"$1\") store=file:x; cd /; export LC_ALL=$2"
                + "; use_readable_locale \"$(printf %b \"$3\")\"; printf =%s \"$LC_ALL\"";
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", script, "bash", home, language, argument);
        builder.directory(ROOT.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith("=" + expected);
        assertThat(process.waitFor()).isZero();
    }
}
