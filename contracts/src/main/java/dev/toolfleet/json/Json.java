package dev.toolfleet.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;

/// The one JSON mapper. Unknown fields are ignored and absent ones are not written, because wire records evolve by
/// addition; instants and durations are ISO 8601 text. Thread-safe.
public final class Json {
    /// Nesting beyond this is refused, in reading as in writing: what the fleet wrote it can read.
    private static final int MAX_NESTING = 500;
    /// Nesting beyond this is refused in what outsiders write: records of the fleet wrap it, and it must still fit
    /// there.
    private static final int MAX_FOREIGN_NESTING = 100;
    private static final int MAX_TEXT = 64_000_000;

    /// The shared mapper.
    public static final JsonMapper MAPPER = JsonMapper.builder(factory(MAX_NESTING))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    /// Reads trees that outsiders wrote. Refuses a name that stands twice in one object, since readers disagree about
    /// which one counts, and nesting deeper than 100.
    public static final ObjectReader STRICT = JsonMapper.builder(factory(MAX_FOREIGN_NESTING))
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build().reader();

    static {
        // Jackson makes its exceptions also where a stack has overflown, by a value that contains itself. A class whose
        // initialization fails there stays broken until the process ends, and with it the reading of malformed records:
        // so what describes failures is initialized here, where there is room.
        refused("{");
        refused("[[]]");
    }

    private Json() {}

    private static void refused(String text) {
        try {
            MAPPER.readValue(text, String.class);
            throw new IllegalStateException(text + " was read as a text");
        } catch (JacksonException e) {
            requireNonNull(e.getMessage());
        }
    }

    private static JsonFactory factory(int nesting) {
        return JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(nesting).maxStringLength(MAX_TEXT).build())
                .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(nesting).build()).build();
    }
}
