package dev.toolfleet.catalog.format;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

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
