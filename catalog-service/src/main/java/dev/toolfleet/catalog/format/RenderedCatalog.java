package dev.toolfleet.catalog.format;

import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A content in one format.
///
/// @param tools what goes into the provider's request as it is
/// @param names the catalog's name of each tool, by the name that it has in `tools`
/// @param arguments the real names of arguments that have another one in `tools`, by tool and argument as they stand
/// there
/// @param notes what is not as the catalog has it
public record RenderedCatalog(CatalogFormat format, ArrayNode tools, Map<String, String> names,
        Map<String, Map<String, String>> arguments, List<Note> notes) {

    /// The whole answer. It depends on content and format alone, so that the digest is its strong validator.
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
