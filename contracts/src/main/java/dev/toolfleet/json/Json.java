package dev.toolfleet.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;

/// The one JSON mapper. It ignores unknown fields and does not write absent ones, because wire records evolve by
/// addition; instants and durations are ISO 8601 text. Thread-safe.
public final class Json {
    /// The deepest nesting, for reading and writing: the fleet can read every record that it wrote.
    private static final int MAX_NESTING = 500;
    /// The deepest nesting in records of outsiders: records of the fleet wrap them and must still fit the limit.
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

    /// Reads trees from outsiders. It rejects a name that stands twice in one object, since readers disagree about
    /// which one counts, and nesting deeper than 100.
    public static final ObjectReader STRICT = JsonMapper.builder(factory(MAX_FOREIGN_NESTING))
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build().reader();

    static {
        // Jackson also makes its exceptions after a stack overflow, caused by a value that contains itself. Otherwise:
        // a class whose initialization fails there stays broken until the process ends, and malformed records cannot be
        // read. So the classes that describe failures are initialized here.
        refused("{");
        refused("[[]]");
        overflown();
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

    /// Fails as the writing of a value does that contains itself, and loads the classes that describe it. Otherwise: the
    /// JVM loads them where the stack is full, and agents that look at loaded classes fail there.
    private static void overflown() {
        try {
            MAPPER.valueToTree(new Overflowing(1));
            throw new IllegalStateException("an overflow was written");
        } catch (JacksonException e) {
            requireNonNull(e.getMessage());
        }
    }

    private record Overflowing(int depth) {
        /// Read by Jackson.
        @JsonProperty
        Overflowing next() {
            if (depth == 0)
                throw new StackOverflowError("on purpose");
            return new Overflowing(depth - 1);
        }
    }

    private static JsonFactory factory(int nesting) {
        return JsonFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(nesting).maxStringLength(MAX_TEXT).build())
                .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(nesting).build()).build();
    }
}
