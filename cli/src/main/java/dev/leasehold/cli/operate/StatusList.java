package dev.leasehold.cli.operate;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.Table;
import dev.leasehold.cli.output.Terminal;
import dev.leasehold.events.LeasePages;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The leases of a store as a list: as it is read, sorted, or as much as fits on a screen. */
final class StatusList {
    private final Invocation invocation;
    private final Console console;
    private final LeaseStore store;
    private final String prefix;
    private final boolean held;
    private final @Nullable Comparator<LeaseSnapshot> order;
    private final int columns;

    StatusList(Invocation invocation, LeaseStore store, int columns) {
        this.invocation = invocation;
        this.console = invocation.console();
        this.store = store;
        this.columns = columns;
        String given = invocation.arguments().text(StatusCommand.PREFIX);
        this.prefix = given == null ? "" : given;
        this.held = invocation.arguments().has(StatusCommand.HELD);
        this.order = order(invocation.arguments().text(StatusCommand.SORT));
    }

    /** Null for the order in which a store answers, which needs no memory. */
    private static @Nullable Comparator<LeaseSnapshot> order(@Nullable String word) {
        Comparator<LeaseSnapshot> byName =
                Comparator.comparing(lease -> lease.lease().name());
        return switch (word == null ? "name" : word.toLowerCase(Locale.ROOT)) {
            case "left" ->
                Comparator.comparing(LeaseSnapshot::isFree)
                        .thenComparing(lease -> lease.isFree() ? Duration.ZERO : lease.remaining())
                        .thenComparing(byName);
            case "holder" ->
                Comparator.<LeaseSnapshot, String>comparing(
                                lease -> lease.lease().owner().holder().value())
                        .thenComparing(byName);
            case "acquired" ->
                Comparator.<LeaseSnapshot, Instant>comparing(
                                lease -> lease.lease().owner().at())
                        .reversed()
                        .thenComparing(byName);
            default -> null;
        };
    }

    /** Prints all of them, page by page if possible, so that the length of the list does not matter. */
    void print(List<String> damage) {
        LeasePages pages = new LeasePages(store, prefix, damage::add);
        Table table = StatusCommand.table(columns);
        boolean empty = true;
        while (pages.hasNext()) {
            List<LeaseSnapshot> page = order == null ? wanted(pages.next()) : sorted(pages);
            empty &= page.isEmpty();
            List<String> lines = new ArrayList<>();
            if (invocation.json()) {
                page.forEach(lease -> lines.add(JsonViews.snapshot(lease).toString()));
            } else if (!page.isEmpty()) {
                page.forEach(lease -> StatusCommand.addTo(table, lease));
                lines.addAll(table.nextLines());
            }
            if (!lines.isEmpty()) {
                // In one go: each call of print is a system call.
                console.print(String.join(System.lineSeparator(), lines));
            }
            // When the reader (a pager, head) is gone, the rest need not be read.
            if (console.out().checkError()) {
                return;
            }
        }
        if (empty && damage.isEmpty() && !invocation.json()) {
            console.tell(nothing());
        }
    }

    private String nothing() {
        String which = held ? "no lease is held" : "no leases yet";
        return prefix.isEmpty()
                ? which
                : held ? which + " whose name starts with " + prefix : "no lease starts with " + prefix;
    }

    /** As many lines as fit on the screen. */
    List<String> screen(Terminal.Size size, List<String> damage) {
        int most = size.rows() > 3 ? size.rows() - 2 : Integer.MAX_VALUE;
        LeasePages pages = new LeasePages(store, prefix, damage::add);
        List<LeaseSnapshot> shown = new ArrayList<>();
        while (pages.hasNext() && shown.size() < most) {
            shown.addAll(order == null ? wanted(pages.next()) : sorted(pages));
        }
        if (shown.isEmpty()) {
            return List.of(nothing());
        }
        boolean more = pages.hasNext() || shown.size() >= most;
        Table table = StatusCommand.table(size.columns());
        shown.subList(0, Math.min(shown.size(), most - 1)).forEach(lease -> StatusCommand.addTo(table, lease));
        List<String> lines = new ArrayList<>(table.lines());
        if (more) {
            lines.add("... and more: see --prefix, --held and --sort");
        }
        return lines;
    }

    private List<LeaseSnapshot> sorted(LeasePages pages) {
        List<LeaseSnapshot> all = new ArrayList<>();
        while (pages.hasNext()) {
            all.addAll(wanted(pages.next()));
        }
        all.sort(order);
        return all;
    }

    private List<LeaseSnapshot> wanted(List<LeaseSnapshot> page) {
        return held ? page.stream().filter(lease -> !lease.isFree()).toList() : page;
    }
}
