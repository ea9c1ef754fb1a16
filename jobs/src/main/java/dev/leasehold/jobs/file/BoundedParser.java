package dev.leasehold.jobs.file;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/**
 * Passes on the events of a parser and limits depth and size. The code that builds the tree
 * recurses for every level, and the code that reads it visits the content of an alias once per use.
 */
final class BoundedParser implements Parser {
    /** A job file needs five levels. */
    static final int MAX_DEPTH = 50;

    static final int MAX_NODES = 500_000;

    /** The text is YAML, but too deep or too large. */
    static final class OutOfBoundsException extends ParserException {
        private static final long serialVersionUID = 1L;

        OutOfBoundsException(String problem, Event event) {
            super(problem, event.getStartMark());
        }
    }

    private record Open(Optional<Anchor> anchor, long nodesBefore) {}

    private final Parser parser;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<Anchor, Long> sizes = new HashMap<>();
    private long nodes;

    BoundedParser(Parser parser) {
        this.parser = parser;
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
        return parser.hasNext();
    }

    @Override
    public Event next() {
        Event event = parser.next();
        if (event instanceof CollectionStartEvent start) {
            begin(start);
        } else if (event instanceof CollectionEndEvent) {
            end();
        } else if (event instanceof ScalarEvent scalar) {
            count(1, event);
            scalar.getAnchor().ifPresent(anchor -> sizes.put(anchor, 1L));
        } else if (event instanceof AliasEvent alias) {
            repeat(alias);
        }
        return event;
    }

    private void begin(CollectionStartEvent start) {
        if (open.size() == MAX_DEPTH) {
            throw new OutOfBoundsException(
                    "this is nested more than " + MAX_DEPTH + " deep; the fields of a job need five levels", start);
        }
        open.push(new Open(start.getAnchor(), nodes));
        count(1, start);
    }

    private void end() {
        Open ended = open.pop();
        ended.anchor.ifPresent(anchor -> sizes.put(anchor, nodes - ended.nodesBefore));
    }

    private void repeat(AliasEvent alias) {
        Anchor anchor = alias.getAlias();
        if (open.stream().anyMatch(each -> each.anchor.filter(anchor::equals).isPresent())) {
            throw new OutOfBoundsException("*" + anchor + " refers to a value that contains it", alias);
        }
        // The composer reports an alias that was never defined.
        count(sizes.getOrDefault(anchor, 1L), alias);
    }

    private void count(long more, Event event) {
        nodes += more;
        if (nodes > MAX_NODES) {
            throw new OutOfBoundsException(
                    "the file has more than " + MAX_NODES + " values up to here, with aliases expanded", event);
        }
    }
}
