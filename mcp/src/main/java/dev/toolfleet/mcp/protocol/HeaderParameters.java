package dev.toolfleet.mcp.protocol;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

import dev.toolfleet.mcp.rpc.HeaderText;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Arguments of a tool that HTTP requests repeat in headers (`x-mcp-header`, 2026-07-28).
///
/// @param parameters the arguments, in the order of the schema
public record HeaderParameters(List<Parameter> parameters) {
    /// No arguments.
    public static final HeaderParameters NONE = new HeaderParameters(List.of());
    private static final String KEY = "x-mcp-header";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}";
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
    private static final long SAFE = (1L << 53) - 1;
    private static final int MOST_NODES = 100_000;

    /// An argument and the header that repeats it.
    ///
    /// @param header the header's name
    /// @param path the names of the properties from the root
    public record Parameter(String header, List<String> path) {}

    /// Copies the list.
    public HeaderParameters {
        parameters = List.copyOf(parameters);
    }

    /// Finds the arguments in a schema.
    ///
    /// @throws IllegalArgumentException for a declaration that breaks a rule: then the tool must not be listed
    public static HeaderParameters of(JsonNode inputSchema) {
        List<Parameter> found = new ArrayList<>();
        Deque<Place> places = new ArrayDeque<>();
        places.push(new Place(inputSchema, List.of(), true, false));
        int seen = 0;
        while (!places.isEmpty()) {
            Place place = places.pop();
            if (++seen > MOST_NODES)
                throw new IllegalArgumentException("its inputSchema has more than " + MOST_NODES + " parts");
            JsonNode header = place.names ? null : place.node.get(KEY);
            if (header != null && place.node.isObject())
                found.add(place.parameter(header));
            place.addInner(places);
        }
        checkUnique(found);
        return found.isEmpty() ? NONE : new HeaderParameters(found);
    }

    /// Returns the headers for these arguments. An argument that is missing or null has none.
    public Map<String, String> headers(JsonNode arguments) {
        Map<String, String> headers = new TreeMap<>();
        for (Parameter parameter : parameters)
            value(parameter, arguments).ifPresent(value -> headers.put(parameter.header, HeaderText.encode(value)));
        return headers;
    }

    /// Compares headers with arguments.
    ///
    /// @param header returns a header's value, or null
    /// @return what is wrong, or null
    public @Nullable String mismatch(Function<String, @Nullable String> header, JsonNode arguments) {
        for (Parameter parameter : parameters) {
            String given = header.apply(parameter.header);
            Optional<String> value = value(parameter, arguments);
            if (given == null && value.isEmpty())
                continue;
            if (given == null)
                return "the header " + parameter.header + " is missing, and the body has a value for it";
            String decoded = HeaderText.decode(given);
            if (decoded == null)
                return "the header " + parameter.header + " is malformed";
            if (value.isEmpty() || !isSame(decoded, at(parameter, arguments)))
                return "the header " + parameter.header + " does not match the body";
        }
        return null;
    }

    private static boolean isSame(String header, JsonNode value) {
        if (!value.isNumber())
            return header.equals(value.asString());
        try {
            return header.length() <= 40 && new BigDecimal(header).compareTo(value.decimalValue()) == 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static JsonNode at(Parameter parameter, JsonNode arguments) {
        JsonNode value = arguments;
        for (String name : parameter.path)
            value = value.path(name);
        return value;
    }

    private static Optional<String> value(Parameter parameter, JsonNode arguments) {
        JsonNode value = at(parameter, arguments);
        return value.isString() || value.isBoolean() || value.isNumber()
                ? Optional.of(value.asString())
                : Optional.empty();
    }

    private static void checkUnique(List<Parameter> found) {
        Set<String> names = new HashSet<>();
        for (Parameter parameter : found) {
            if (!names.add(parameter.header.toLowerCase(Locale.ROOT)))
                throw new IllegalArgumentException("two parameters have the header " + parameter.header);
        }
    }

    /// A part of the schema.
    ///
    /// @param reachable true if only `properties` lead to it
    /// @param names true for the value of `properties`, whose names are arguments and no keywords
    private record Place(JsonNode node, List<String> path, boolean reachable, boolean names) {
        Parameter parameter(JsonNode header) {
            String name = header.stringValue(null);
            if (name == null || !name.matches(TOKEN))
                throw new IllegalArgumentException("its x-mcp-header '" + header.asString("") + "' is no header name");
            if (!reachable || path.isEmpty()) {
                throw new IllegalArgumentException(
                        "its x-mcp-header '" + name + "' is not reached by properties alone");
            }
            if (!TYPES.contains(node.path("type").stringValue(""))) {
                throw new IllegalArgumentException("its x-mcp-header '" + name
                        + "' is on a parameter that is no string, integer or boolean");
            }
            for (String bound : List.of("minimum", "maximum", "const")) {
                JsonNode value = node.path(bound);
                if (value.isIntegralNumber() && (!value.canConvertToLong() || Math.abs(value.longValue()) > SAFE)) {
                    throw new IllegalArgumentException("its x-mcp-header '" + name
                            + "' is on an integer beyond the range of 2^53");
                }
            }
            return new Parameter(Meta.PARAMETER_HEADER + name, path);
        }

        void addInner(Deque<Place> places) {
            List<Place> inner = new ArrayList<>();
            if (node.isArray()) {
                for (JsonNode element : node)
                    inner.add(new Place(element, path, false, false));
            }
            for (Map.Entry<String, JsonNode> field : node.properties())
                inner.add(inner(field.getKey(), field.getValue()));
            inner.reversed().forEach(places::push);
        }

        private Place inner(String key, JsonNode value) {
            if (!names)
                return new Place(value, path, reachable && key.equals("properties"), key.equals("properties"));
            List<String> longer = new ArrayList<>(path);
            longer.add(key);
            return new Place(value, List.copyOf(longer), reachable, false);
        }
    }
}
