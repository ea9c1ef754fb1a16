package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Completes the names of a store in real shells. In place of the program, which takes long to start,
 * they call a script that answers with names as a hostile store would.
 */
class NameCompletionTest {
    private static final String HOSTILE = "night$(touch${IFS}hacked)'\"`;&";

    private static final String PROGRAM =
            """
            #!/bin/sh
            echo noise >&2
            case "$*" in
                'known-names leases') printf '%s\\n' nightly "$HOSTILE" team:db "of-$LEASEHOLD_STORE" ;;
                'known-names jobs') echo job-1 ;;
                'known-names keys') echo 2026-01-01 ;;
                *) echo wrong arguments ;;
            esac
            """;

    /** Fills the variables as bash does, which splits at these characters. */
    private static final String BASH =
            """
            source "$0"
            for COMP_LINE; do
                COMP_POINT=${#COMP_LINE} COMP_WORDS=() word=
                for ((n = 0; n < COMP_POINT; n++)); do
                    case ${COMP_LINE:n:1} in
                        ' ') [ -z "$word" ] || COMP_WORDS+=("$word"); word= ;;
                        [=:@]) [ -z "$word" ] || COMP_WORDS+=("$word"); COMP_WORDS+=("${COMP_LINE:n:1}"); word= ;;
                        *) word+=${COMP_LINE:n:1} ;;
                    esac
                done
                case $COMP_LINE in *[=:@]) ;; *) COMP_WORDS+=("$word") ;; esac
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _leasehold
                echo "${COMPREPLY[*]-}"
            done
            """;

    /** A shell at a terminal: types each line and the Tab key, and writes down what the line has become. */
    private static final String ZSH =
            """
            zmodload zsh/zpty
            zpty -b shell "zsh -f -i"
            zpty -w shell "PS1= ; autoload -Uz compinit; compinit -u -d $PWD/dump; source $0; unsetopt auto_menu
                line() { print -r -- \\"\\$BUFFER\\" >> $PWD/lines; BUFFER=''; }
                zle -N line; bindkey '^X' line; print > $PWD/ready"
            integer patience=1200
            until [[ -e ready ]]; do sleep 0.05; (( patience-- )) || exit 1; done
            for text; do zpty -w -n shell "$text"$'\\t'$'\\x18'; done
            until [[ -e lines && $(wc -l < lines) -ge $# ]]; do
                sleep 0.05
                zpty -r -t shell unread '*'
                (( patience-- )) || break
            done
            zpty -d shell
            cat lines
            """;

    @TempDir
    Path directory;

    @BeforeEach
    void putTheProgramOnThePath() throws IOException {
        Path program = Files.createDirectory(directory.resolve("bin")).resolve("leasehold");
        Files.writeString(program, PROGRAM);
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void bashQuotesNames() throws Exception {
        List<String> offered = complete(
                "bash",
                List.of("bash", "--norc", "--noprofile", "-uc", BASH),
                "leasehold run nightl",
                "leasehold run night$",
                "leasehold run 'night",
                "leasehold run team:",
                "leasehold run team:d",
                "leasehold release --store file:/a of-",
                "leasehold --store=postgresql://u@h/a release of-",
                "leasehold pause ",
                "leasehold run x --key 2",
                "leasehold run x --or=nightl");

        assertThat(offered)
                .containsExactly(
                        "nightly",
                        "night\\$\\(touch\\$\\{IFS\\}hacked\\)\\'\\\"\\`\\;\\&",
                        "",
                        "db",
                        "db",
                        "of-file:/a",
                        "of-postgresql://u@h/a",
                        "job-1",
                        "2026-01-01",
                        "nightly");
    }

    @Test
    @Requires("zsh")
    void zshQuotesNamesAndCompletesOptionsAfterTheName() throws Exception {
        List<String> lines = complete(
                "zsh",
                List.of("zsh", "-fc", ZSH),
                "leasehold run nightl",
                "leasehold run night\\$",
                "leasehold release --store file:/a of-",
                "leasehold --store file:/a release of-",
                "leasehold pause j",
                "leasehold run x --key 2",
                "leasehold run x --heartb",
                "leasehold run x -- leasehold pau");

        assertThat(lines)
                .map(String::strip)
                .containsExactly(
                        "leasehold run nightly",
                        "leasehold run night\\$\\(touch\\$\\{IFS\\}hacked\\)\\'\\\"\\`\\;\\&",
                        "leasehold release --store file:/a of-file:/a",
                        "leasehold --store file:/a release of-file:/a",
                        "leasehold pause job-1",
                        "leasehold run x --key 2026-01-01",
                        "leasehold run x --heartbeat=",
                        "leasehold run x -- leasehold pause");
    }

    /** {@code complete -C} prints the bare names; fish quotes the one that it inserts. */
    @Test
    @Requires("fish")
    void fishOffersNamesOptionsAndCommands() throws Exception {
        List<String> offered = complete(
                "fish",
                List.of("fish", "--no-config", "-c", "source $argv[1]; for l in $argv[2..]; complete -C $l; end"),
                "leasehold run nightl",
                "leasehold run 'night$",
                "leasehold release --store file:/a of-",
                "leasehold --store=file:/a release of-",
                "leasehold pause j",
                "leasehold run x --key 2",
                "leasehold run x --heartb",
                "leasehold run x --js",
                "leasehold status --js",
                "leasehold run x -- leasehold pau",
                "leasehold run --on-busy s",
                "leasehold help takeo");

        assertThat(offered)
                .map(line -> line.split("\t", 2)[0])
                .containsExactly(
                        "nightly",
                        HOSTILE,
                        "of-file:/a",
                        "of-file:/a",
                        "job-1",
                        "2026-01-01",
                        "--heartbeat",
                        "--json",
                        "pause",
                        "skip",
                        "takeover");
    }

    private List<String> complete(String shell, List<String> interpreter, String... lines)
            throws IOException, InterruptedException {
        Path script = Files.writeString(
                directory.resolve("script"),
                new CliRunner().run("completion", shell).out());
        List<String> command = new ArrayList<>(interpreter);
        command.add(script.toString());
        command.addAll(List.of(lines));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectErrorStream(true);
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("HOSTILE", HOSTILE);
        builder.environment().put("TERM", "dumb");
        builder.environment().remove("LEASEHOLD_STORE");
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(out).doesNotContain("noise", "wrong arguments");
        assertThat(directory.resolve("hacked")).doesNotExist();
        return out.lines().toList();
    }
}
