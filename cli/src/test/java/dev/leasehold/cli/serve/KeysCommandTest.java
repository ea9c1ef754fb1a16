package dev.leasehold.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of a server's clients. */
class KeysCommandTest {
    @TempDir
    Path directory;

    private CliRunner cli;

    @BeforeEach
    void useAStore() {
        cli = CliRunner.withStore(directory.resolve("store"));
    }

    @Test
    void aKeyIsShownOnceListedAndRevoked() {
        Result added =
                cli.run("keys", "add", "sandbox-7", "--role", "holder", "--prefix", "team-a/", "--expires", "30d");
        assertThat(added.code()).as(added.err()).isZero();
        String key = added.outLine();
        assertThat(key).matches("lhk_[a-z2-7]{10}_[a-z2-7]{52}");
        String id = key.substring(4, 14);

        Result list = cli.run("keys", "list");
        assertThat(list.out())
                .contains(id, "sandbox-7", "holder", "team-a/", "valid")
                .doesNotContain(key.substring(15));
        assertThat(cli.run("keys", "revoke", id).code()).isZero();
        assertThat(cli.run("keys", "list", "--json").out()).contains("\"state\":\"revoked\"");
        assertThat(cli.run("keys", "revoke", "aaaaaaaaaa").code()).isEqualTo(ExitCode.USAGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keys",
                "keys add",
                "keys add a",
                "keys add a --role admin",
                "keys add a --role holder --prefix a%b",
                "keys add a --role holder --expires soon",
                "keys add a --role holder --expires 0s",
                "keys add a --role holder --prefix=",
                "keys list a",
                "keys list --role holder",
                "keys revoke",
                "keys add a --role holder --store http://127.0.0.1:1"
            })
    void mistakesAreUsageErrors(String command) {
        Result refused = cli.run(command.split(" "));
        assertThat(refused.code()).as(command + refused.err()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.out()).isEmpty();
    }
}
