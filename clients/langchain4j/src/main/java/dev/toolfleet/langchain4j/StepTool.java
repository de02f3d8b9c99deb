package dev.toolfleet.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.toolfleet.client.format.CatalogFormat;
import dev.toolfleet.client.format.CatalogFormat.RenderedCatalog;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCatalogItem;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Tool of a step, as LangChain4j describes it to a model.
///
/// @param catalogName its name in the catalog
/// @param specification its name for the model, description and parameters
record StepTool(String catalogName, ToolSpecification specification) {
    /// The keywords that LangChain4j knows at the top of parameters. Properties keep all of theirs.
    private static final Set<String> TOP = Set.of("type", "description", "properties", "required",
            "additionalProperties", "$defs");

    /// Returns the tools of a catalog in its order, with names and parameters that providers accept. The fleet checks
    /// arguments against the declared parameters.
    static List<StepTool> of(List<ToolCatalogItem> items) {
        RenderedCatalog rendered = CatalogFormat.OPENAI.render(items);
        List<StepTool> tools = new ArrayList<>();
        for (JsonNode tool : rendered.tools()) {
            JsonNode function = tool.path("function");
            String name = function.path("name").stringValue();
            ObjectNode json = Json.MAPPER.createObjectNode().put("name", name);
            if (function.has("description"))
                json.set("description", function.path("description"));
            json.set("parameters", known(function.path("parameters")));
            tools.add(new StepTool(requireNonNull(rendered.names().get(name)),
                    ToolSpecification.fromJson(json.toString())));
        }
        return tools;
    }

    private static ObjectNode known(JsonNode parameters) {
        ObjectNode known = Json.MAPPER.createObjectNode();
        parameters.properties().forEach(field -> {
            boolean fits = TOP.contains(field.getKey())
                    && (!field.getKey().equals("additionalProperties") || field.getValue().isBoolean());
            if (fits)
                known.set(field.getKey(), field.getValue());
        });
        return known;
    }
}
