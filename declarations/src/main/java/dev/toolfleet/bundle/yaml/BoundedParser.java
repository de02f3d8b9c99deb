package dev.toolfleet.bundle.yaml;

import java.util.Optional;

import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.parser.Parser;

/// Rejects documents nested so deeply that turning them into a tree would exhaust the stack.
final class BoundedParser implements Parser {
    private static final int MAX_DEPTH = 100;

    private final Parser parser;
    private int depth;

    BoundedParser(Parser parser) {
        this.parser = parser;
    }

    @Override
    public boolean checkEvent(Event.ID id) {
        return parser.checkEvent(id);
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
        if (event.getEventId() == Event.ID.MappingStart || event.getEventId() == Event.ID.SequenceStart) {
            depth++;
        } else if (event.getEventId() == Event.ID.MappingEnd || event.getEventId() == Event.ID.SequenceEnd) {
            depth--;
        }
        if (depth > MAX_DEPTH) {
            throw new ParserException("it is nested more than " + MAX_DEPTH + " levels deep", event.getStartMark());
        }
        return event;
    }
}
