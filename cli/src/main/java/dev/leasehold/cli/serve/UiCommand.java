package dev.leasehold.cli.serve;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Text;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** {@code leasehold ui}: the page, for somebody who has a store and no server. */
public final class UiCommand implements Command {
    private static final int LONGEST_USER = 40;
    private static final Option PORT =
            Option.of("port", "N", Kind.NUMBER, "the port on 127.0.0.1 (default: any that is free)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("ui", "look at a store in a browser")
                .description(
                        """
                        Serves the page of docs/page.md on this host only, and prints its address. The address has a random
                        key, which is made for this call and ends with it: whoever has the address may do with the store
                        what you may. Runs until Ctrl-C. Nothing is kept, and nothing is written to the store unless you
                        press a button. For a page that others can open, see 'leasehold serve'.""")
                .option(PORT)
                .example("leasehold ui --store postgresql://jobs@db/leases");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        int port = (int) invocation.arguments().number(PORT, 1, 65535, 0);
        SystemIds ids = new SystemIds();
        String key = ids.unique() + ids.unique();
        BlockingQueue<String> signals = new LinkedBlockingQueue<>();
        try (LeaseStore store = invocation.openStore();
                Signals handlers = Signals.forward(signals::add);
                LeaseholdServer server = start(store, port, key)) {
            String address = server.uri() + "/#key=" + key;
            invocation
                    .console()
                    .print(invocation.json() ? new Json().put("url", address).toString() : address);
            invocation.console().say("open this address in a browser on this host; Ctrl-C ends it");
            ServeCommand.awaitStop(signals);
        }
        return ExitCode.OK;
    }

    private static LeaseholdServer start(LeaseStore store, int port, String key) {
        String user = Text.shown(System.getProperty("user.name", "ui"), LONGEST_USER);
        try {
            return LeaseholdServer.over(store)
                    .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .onlyKey(key, user)
                    .start();
        } catch (IOException e) {
            throw new StoreUnavailableException(
                    "cannot listen on port " + port + " of this host: " + e.getMessage()
                            + ". Another program may use the port; leave out --port to get a free one",
                    e);
        }
    }
}
