package dev.leasehold.cli.store;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.Program;
import dev.leasehold.model.StoreUnavailableException;

/** The module with the simulator and the soak. The other commands do without it, so it is found by name. */
final class SimulatorModule {
    private SimulatorModule() {}

    static int run(String className, Invocation invocation) throws Exception {
        Program program;
        try {
            program = Class.forName(className)
                    .asSubclass(Program.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new StoreUnavailableException(
                    "this command needs the simulator, which only a source checkout has: run ./leasehold there", e);
        }
        return program.run(invocation);
    }
}
