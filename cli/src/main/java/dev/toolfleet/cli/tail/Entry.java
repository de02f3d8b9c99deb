package dev.toolfleet.cli.tail;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.cli.table.Style.Tone;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Record as far as a person may see it.
///
/// @param at when it was written
/// @param agent empty when the record names none
/// @param tools whose record it is; of a catalog, those that it holds
/// @param name what stands in the column of tools
/// @param state what became of it, in a word; may be empty
/// @param id the call's, or the step's
/// @param said what else there is to say, for people
/// @param payload what was passed or returned; null when there is none, or it may not be shown
/// @param json the record for programs, without what may not be shown
record Entry(Instant at, String instance, String agent, List<String> tools, String name, State state, String id,
        String said, @Nullable JsonNode payload, ObjectNode json) {

    /// A word and how it is meant.
    record State(String text, Tone tone) {
        static final State NONE = new State("", Tone.PLAIN);
    }
}
