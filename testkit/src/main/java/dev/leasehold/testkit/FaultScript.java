package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Faults in the order in which a test requested them; the first matching call uses up a fault. */
final class FaultScript implements Faults {
    private record Requested(Set<StoreOperation> operations, Fault fault) {}

    private final List<Requested> script = new ArrayList<>();
    private final Set<StoreOperation> down = EnumSet.noneOf(StoreOperation.class);

    synchronized void request(Fault fault, StoreOperation... operations) {
        script.add(new Requested(setOf(operations), fault));
    }

    synchronized void down(StoreOperation... operations) {
        down.addAll(setOf(operations));
    }

    synchronized void heal() {
        down.clear();
        script.clear();
    }

    synchronized int waiting() {
        return script.size();
    }

    @Override
    public synchronized Fault next(StoreOperation operation) {
        if (down.contains(operation)) {
            return Fault.REQUEST_DROPPED;
        }
        for (Iterator<Requested> each = script.iterator(); each.hasNext(); ) {
            Requested requested = each.next();
            if (requested.operations.contains(operation)) {
                each.remove();
                return requested.fault;
            }
        }
        return Fault.NONE;
    }

    private static Set<StoreOperation> setOf(StoreOperation... operations) {
        return operations.length == 0 ? EnumSet.allOf(StoreOperation.class) : EnumSet.copyOf(List.of(operations));
    }
}
