package dev.toolfleet.client.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Formats of served catalogs. Their names and effects are public API (`docs/http.md`).
public enum CatalogFormat {
    /// The items as `tool.catalog.content` has them.
    TOOLFLEET(new ToolfleetTools()),
    /// The array `tools` of OpenAI's Chat Completions, not strict.
    OPENAI(new OpenAiTools()),
    /// The array `tools` of Anthropic's Messages.
    ANTHROPIC(new AnthropicTools()),
    /// The array `tools` of the Model Context Protocol's `tools/list`.
    MCP(new McpTools());

    @SuppressWarnings("ImmutableEnumChecker") // Shapes have no state.
    private final ToolShape shape;

    CatalogFormat(ToolShape shape) {
        this.shape = shape;
    }

    /// Returns the format of that name.
    public static Optional<CatalogFormat> of(String name) {
        return Arrays.stream(values()).filter(format -> format.wireName().equals(name)).findFirst();
    }

    /// Returns all names, for a person.
    public static String allowed() {
        return Arrays.stream(values()).map(CatalogFormat::wireName).collect(Collectors.joining(", "));
    }

    /// Returns its name.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns a content in this format, in the same order. Providers reject two items with one name: the first counts.
    public RenderedCatalog render(List<ToolCatalogItem> items) {
        List<Note> notes = new ArrayList<>(shape.notes(items));
        Map<String, ToolCatalogItem> byName = new LinkedHashMap<>();
        for (ToolCatalogItem item : items) {
            if (byName.putIfAbsent(item.name(), item) != null)
                notes.add(new Note(item.name(), "Another tool of this name stands before it, so it was left out."));
        }
        Map<String, String> given = shape.names(byName.keySet());
        ArrayNode tools = Json.MAPPER.createArrayNode();
        Map<String, String> names = new LinkedHashMap<>();
        Map<String, Map<String, String>> arguments = new LinkedHashMap<>();
        byName.forEach((original, item) -> {
            String name = given.getOrDefault(original, original);
            names.put(name, original);
            if (!name.equals(original))
                notes.add(new Note(original, "Its name is not allowed here; it is called " + name + "."));
            ParameterSchema parameters = new ParameterSchema(item.parameters());
            tools.add(shape.tool(name, item, parameters));
            parameters.notes().forEach(note -> notes.add(new Note(original, note)));
            if (!parameters.renamed().isEmpty())
                arguments.put(name, parameters.renamed());
        });
        return new RenderedCatalog(this, tools, names, arguments, notes);
    }

    /// Content in one format.
    ///
    /// @param tools the part for the provider's request, unchanged
    /// @param names the catalog's name of each tool, by its name in `tools`
    /// @param arguments the real names of renamed arguments, by tool and argument as in `tools`
    /// @param notes the differences from the catalog
    public record RenderedCatalog(CatalogFormat format, ArrayNode tools, Map<String, String> names,
            Map<String, Map<String, String>> arguments, List<Note> notes) {

        /// Returns the whole answer. It depends on content and format only, so the digest is its strong validator.
        public ObjectNode json(String digest) {
            ObjectNode json = Json.MAPPER.createObjectNode();
            json.put("format", format.wireName()).put("digest", digest);
            json.set("tools", tools);
            json.set("names", Json.MAPPER.valueToTree(names));
            json.set("arguments", Json.MAPPER.valueToTree(arguments));
            json.set("notes", Json.MAPPER.valueToTree(notes));
            return json;
        }
    }
}
