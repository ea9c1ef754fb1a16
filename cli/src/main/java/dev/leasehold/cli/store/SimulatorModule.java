package dev.leasehold.cli.store;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.Program;

/** Loads the simulator by name: only {@code simulate} and {@code soak} need that module. */
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
            invocation
                    .console()
                    .error("this command needs the simulator, which only a source checkout contains: run ./leasehold in"
                            + " a checkout");
            return ExitCode.UNAVAILABLE;
        }
        return program.run(invocation);
    }
}
