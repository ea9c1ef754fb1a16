package dev.leasehold.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many classes a reader has to know to follow {@code leasehold run} from {@code main} to the
 * record of its grant on disk. Counted by a debugger that sees every method that is entered on the
 * way, in a name that is leased for the first time.
 *
 * <p>Left out are values (records, enums and the package {@code model}) and the three classes that
 * only stand for the JDK: its clocks, its random numbers, and its file calls.
 */
class RunPathTest {
    private static final String MAIN = "dev.leasehold.cli.Main";
    private static final Set<String> STAND_FOR_THE_JDK = Set.of("SystemTicker", "SystemIds", "Disk");

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void sixteenClassesLeadToTheRecordOnDisk() throws Exception {
        assertThat(classesOnTheWay())
                .containsExactlyInAnyOrder(
                        "Main",
                        "RunCommand",
                        "RunSession",
                        "Leases",
                        "Acquirer",
                        "SteppedLeaseStore",
                        "LeaseRules",
                        "FileLeaseStore",
                        "FileNames",
                        "TwoCopyFile",
                        "PathMutex",
                        "CopyPages",
                        "GrantFiles",
                        "FloorFiles",
                        "RecordText",
                        "Fields");
    }

    private Set<String> classesOnTheWay() throws Exception {
        FileLeaseStore.create(folder.resolve("store")).close();
        VirtualMachine machine = launch();
        Process process = machine.process();
        try {
            MethodEntryRequest entries = machine.eventRequestManager().createMethodEntryRequest();
            entries.addClassFilter("dev.leasehold.*");
            entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            entries.enable();
            MethodExitRequest written = machine.eventRequestManager().createMethodExitRequest();
            written.addClassFilter("dev.leasehold.store.GrantFiles");
            written.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            written.enable();
            return follow(machine);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private VirtualMachine launch() throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("home").setValue(System.getProperty("java.home"));
        arguments.get("options").setValue("-cp \"" + System.getProperty("java.class.path") + "\"");
        arguments.get("main").setValue(MAIN + " --store file:" + folder.resolve("store") + " run job -- true");
        return connector.launch(arguments);
    }

    /** From the call that acquires the lease until its grant is published. */
    private static Set<String> follow(VirtualMachine machine) throws Exception {
        Set<String> classes = new LinkedHashSet<>();
        while (true) {
            EventSet events = machine.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof MethodEntryEvent entry && isOnTheWay(entry.thread(), entry.method())) {
                    if (classes.isEmpty()) {
                        callers(entry.thread()).forEach(caller -> add(caller, classes));
                    }
                    add(entry.method().declaringType(), classes);
                } else if (event instanceof MethodExitEvent exit
                        && exit.method().name().equals("publish")) {
                    return classes;
                }
                assertThat(event).as("reached so far: %s", classes).isNotInstanceOf(VMDisconnectEvent.class);
            }
            events.resume();
        }
    }

    private static boolean isOnTheWay(ThreadReference thread, Method entered) throws Exception {
        boolean acquiring = false;
        for (StackFrame frame : thread.frames()) {
            Method method = frame.location().method();
            if (method.isStaticInitializer()) {
                return false;
            }
            acquiring |= method.declaringType().name().equals("dev.leasehold.Leases")
                    && method.name().startsWith("acquire");
        }
        return acquiring && !entered.isBridge();
    }

    private static List<ReferenceType> callers(ThreadReference thread) throws Exception {
        List<ReferenceType> callers = new ArrayList<>();
        for (StackFrame frame : thread.frames()) {
            callers.add(0, frame.location().declaringType());
        }
        return callers;
    }

    private static void add(ReferenceType type, Set<String> classes) {
        String name = type.name().replaceFirst("\\$.*", "");
        String simple = name.substring(name.lastIndexOf('.') + 1);
        if (name.startsWith("dev.leasehold.") && !isValue(type) && !STAND_FOR_THE_JDK.contains(simple)) {
            classes.add(simple);
        }
    }

    private static boolean isValue(ReferenceType type) {
        ClassType parent = type instanceof ClassType known ? known.superclass() : null;
        return type.name().startsWith("dev.leasehold.model.")
                || (parent != null
                        && (parent.name().equals("java.lang.Record")
                                || parent.name().equals("java.lang.Enum")));
    }
}
