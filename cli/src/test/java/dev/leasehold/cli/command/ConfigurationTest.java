package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import dev.leasehold.cli.JsonText;
import dev.leasehold.store.FileLeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files {@code leasehold.conf} of a user and of a machine. */
class ConfigurationTest {
    @TempDir
    Path directory;

    private CliRunner cli;
    private Path user;
    private Path system;

    @BeforeEach
    void useAHomeOfItsOwn() throws IOException {
        user = directory.resolve("home/.config/leasehold/leasehold.conf");
        system = directory.resolve("etc/leasehold.conf");
        Files.createDirectories(user.getParent());
        Files.createDirectories(system.getParent());
        for (String store : new String[] {"option", "environment", "user", "system"}) {
            FileLeaseStore.create(directory.resolve(store)).close();
        }
        cli = CliRunner.withMissingStore(directory)
                .without("LEASEHOLD_STORE")
                .env("HOME", directory.resolve("home").toString())
                .env("LEASEHOLD_SYSTEM_CONF", system.toString());
    }

    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private String url(String store) {
        return "file:" + directory.resolve(store);
    }

    private String usedStore(String... options) {
        String[] args = new String[options.length + 3];
        args[0] = "store";
        args[1] = "info";
        args[2] = "--json";
        System.arraycopy(options, 0, args, 3, options.length);
        Result result = cli.run(args);
        assertThat(result.code()).as(result.err()).isZero();
        return JsonText.object(result.out()).get("store").toString();
    }

    @Test
    void anOptionComesBeforeTheEnvironmentTheUserAndTheMachine() throws IOException {
        assertThat(cli.run("store", "info").out())
                .contains("home/.local/state/leasehold", "default", "not there: " + user);
        write(system, "# for all users\n\n  store=" + url("system") + "\nttl = 7m\n");
        assertThat(usedStore()).contains(url("system"), system + ":3");
        write(user, "store = " + url("user") + "\nholder = alice\n");
        assertThat(usedStore()).contains(url("user"), user + ":1");
        cli.env("LEASEHOLD_STORE", url("environment"));
        assertThat(usedStore()).contains(url("environment"), "$LEASEHOLD_STORE");
        assertThat(usedStore("--store", url("option"))).contains(url("option"), "--store");
    }

    @Test
    void theSettingsAreUsed() throws IOException {
        write(system, "ttl = 2h\nholder = machine\n");
        write(user, "store = " + url("user") + "\nholder = alice\n");

        assertThat(cli.run("acquire", "job").code()).isZero();
        assertThat(cli.run("status").out()).containsPattern("job +held +1 +alice +alive +1h59m");
        assertThat(cli.run("acquire", "other", "--ttl", "1h", "--holder", "bob").code())
                .isZero();
        assertThat(cli.run("status", "other").out()).containsPattern("other +held +1 +bob +alive +59m");
        assertThat(directory.resolve("home/.local")).as("the default store").doesNotExist();
    }

    @Test
    void aMistakeIsNamedWithItsLine() throws IOException {
        refused("ttl = 1m\nstroe = file:/x\n", user + ":2: unknown key 'stroe'", "did you mean store?");
        refused("store\n", user + ":1: write 'key = value'");
        refused("store =\n", user + ":1: store has no value");
        refused("ttl = 1m\nttl = 2m\n", user + ":2: ttl is set twice");
        refused("ttl = soon\n", user + ":1:", "soon");
        refused("ttl = 1ms\n", user + ":1: ttl is out of range");
        refused("store = $HOME/leases\n", user + ":1:", "no shell replaced");
        refused("x".repeat(70_000), "larger than");
        Files.write(user, new byte[] {(byte) 0xff, '\n'});
        assertThat(cli.run("acquire", "job").err()).contains("is not UTF-8");
        Files.delete(user);
        Files.createDirectory(user);
        assertThat(cli.run("acquire", "job").err()).contains("is not a file");
    }

    private void refused(String text, String... message) throws IOException {
        write(user, text);
        Result result = cli.run("acquire", "job", "--json");

        assertThat(result.code()).as(result.out()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(message).hasLineCount(1);
        assertThat(JsonText.object(result.out())).containsEntry("outcome", "usage");
    }

    @Test
    void aPasswordThatEveryUserCanReadIsRefusedAndNeverShown() throws IOException {
        write(user, "store = postgresql://me:hunter2@127.0.0.1:1/db\n");
        Result open = cli.run("status");
        assertThat(open.code()).isEqualTo(ExitCode.USAGE);
        assertThat(open.err()).contains("every user of this machine can read the password", "chmod o-r");

        Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rw-------"));
        Result info = cli.run("store", "info");
        assertThat(info.code()).as(info.err()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(info.out()).contains("postgresql://me:***@127.0.0.1:1/db", user + ":1");
        assertThat(open.err() + info.out() + info.err()).doesNotContain("hunter2");

        Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(cli.run("status").err()).contains("can be changed by every user");
    }
}
