package dev.leasehold.cli.store;

import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.command.Configuration;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.Table;
import dev.leasehold.internal.Secrets;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.LeaseStore;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code leasehold store info}: the settings of this program, and where each comes from. */
final class StoreInfo {
    private static final String DEFAULT = "default";

    private record Row(String key, String value, String from) {}

    private final Invocation invocation;
    private final Console console;

    StoreInfo(Invocation invocation) {
        this.invocation = invocation;
        this.console = invocation.console();
    }

    /** The settings are shown even if the store does not answer. */
    int print() {
        String url = invocation.storeUrl();
        console.hideSecretsOf(url);
        Holder holder = SharedOptions.holder(invocation);
        List<Row> rows = List.of(
                new Row(Configuration.STORE, Secrets.hide(url, Secrets.in(url)), originOfStore()),
                new Row(
                        Configuration.TTL,
                        DurationText.show(SharedOptions.ttl(invocation)),
                        originOf(Configuration.TTL)),
                new Row(
                        Configuration.HOLDER,
                        holder == null ? "host-pid-random" : holder.value(),
                        originOf(Configuration.HOLDER)));
        Optional<String> id = Optional.empty();
        RuntimeException problem = null;
        try (LeaseStore store = invocation.openStoreIfAny().orElse(null)) {
            id = Optional.ofNullable(store).map(each -> each.id().value());
        } catch (RuntimeException e) {
            problem = e;
        }
        if (invocation.json()) {
            printJson(rows, id);
        } else {
            printLines(rows, id.orElse(problem == null ? "none yet: it is created on first use" : "unknown"));
        }
        if (problem != null) {
            console.error(String.valueOf(problem.getMessage()));
            return ExitCode.of(problem);
        }
        return ExitCode.OK;
    }

    private String originOfStore() {
        if (invocation.arguments().has(CommonOptions.STORE)) {
            return "--store";
        }
        return invocation.env(StoreUrl.VARIABLE) == null ? originOf(Configuration.STORE) : "$" + StoreUrl.VARIABLE;
    }

    private String originOf(String key) {
        Configuration.Setting setting = invocation.configuration().get(key);
        return setting == null ? DEFAULT : setting.where();
    }

    private void printLines(List<Row> rows, String id) {
        Table table = new Table("SETTING", "VALUE", "FROM");
        rows.forEach(row -> table.row(row.key, console.safe(row.value), console.safe(row.from)));
        table.row("id", id, "the store");
        table.lines().forEach(console::print);
        for (File file : invocation.configuration().files()) {
            console.print((file.exists() ? "read " : "not there: ") + console.safe(file.toString()));
        }
    }

    private void printJson(List<Row> rows, Optional<String> id) {
        Json json = new Json();
        rows.forEach(row -> json.put(row.key, new Json().put("value", row.value).put("from", row.from)));
        List<Json> files = new ArrayList<>();
        for (File file : invocation.configuration().files()) {
            files.add(new Json().put("path", file.toString()).put("read", file.exists()));
        }
        console.print(json.put("id", id.orElse(null)).put("files", files).toString());
    }
}
