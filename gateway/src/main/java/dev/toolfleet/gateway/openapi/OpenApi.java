package dev.toolfleet.gateway.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.openapi.Operation.Outcome;
import dev.toolfleet.gateway.openapi.Operation.Parameter;
import dev.toolfleet.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// OpenAPI 3.1 document of operations. Its schemas are JSON Schemas of draft 2020-12. Pure.
public final class OpenApi {
    private static final String PRINCIPAL = "principal";
    private static final String PROBLEM = "application/problem+json";
    private static final String SCHEMAS = "#/components/schemas/";

    private OpenApi() {}

    /// Returns the document.
    public static ObjectNode document(List<Operation> operations) {
        ObjectNode document = Json.MAPPER.createObjectNode().put("openapi", "3.1.1");
        document.putObject("info").put("title", "Toolfleet gateway").put("version", "1")
                .put("description",
                        "Calls tools of a fleet over HTTP. A call is durable once it is accepted, is answered"
                                + " exactly once, and is known to every gateway of the group. Keys and names in paths are"
                                + " percent-encoded; unknown parameters and fields are refused.")
                .putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
        document.putArray("servers").addObject().put("url", "/").put("description", "The gateway.");
        ObjectNode paths = document.putObject("paths");
        List<String> used = new ArrayList<>(List.of("Problem"));
        for (Operation operation : operations) {
            paths.withObjectProperty(operation.path()).set(operation.method().toLowerCase(Locale.ROOT),
                    operation(operation));
            if (operation.body() != null)
                used.add(operation.body());
            operation.outcomes().stream().map(Outcome::schema).filter(name -> !name.isEmpty()).forEach(used::add);
        }
        components(document.putObject("components"), WireSchemas.of(used));
        return document;
    }

    private static ObjectNode operation(Operation operation) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("operationId", operation.id())
                .put("summary", operation.summary());
        ArrayNode security = json.putArray("security");
        if (!operation.open()) {
            if (operation.scopes().isEmpty())
                security.addObject().putArray(PRINCIPAL);
            for (Scope scope : operation.scopes())
                security.addObject().putArray(PRINCIPAL).add(scope.text());
        }
        ArrayNode parameters = json.putArray("parameters");
        operation.pathNames().forEach(name -> parameters.addObject().put("name", name).put("in", "path")
                .put("required", true).put("description", "Percent-encoded.").putObject("schema").put("type", "string")
                .put("minLength", 1).put("maxLength", 1024));
        operation.parameters().forEach(parameter -> parameters.add(parameter(parameter)));
        if (operation.body() != null)
            json.putObject("requestBody").put("required", operation.bodyRequired()).putObject("content")
                    .putObject("application/json").putObject("schema").put("$ref", SCHEMAS + operation.body());
        ObjectNode responses = json.putObject("responses");
        operation.outcomes().forEach(outcome -> add(responses, outcome));
        for (String refused : List.of("4XX", "5XX"))
            responses.putObject(refused).put("$ref", "#/components/responses/Problem");
        return json;
    }

    private static ObjectNode parameter(Parameter parameter) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("name", parameter.name()).put("in", parameter.in())
                .put("required", false).put("description", parameter.description());
        return json.set("schema", Json.MAPPER.readTree(parameter.schema()));
    }

    /// Answers of one status with several media types share their entry.
    private static void add(ObjectNode responses, Outcome outcome) {
        ObjectNode response = responses.withObjectProperty(Integer.toString(outcome.status()));
        if (!response.has("description"))
            response.put("description", outcome.description());
        if (outcome.media().isEmpty())
            return;
        ObjectNode schema = response.withObjectProperty("content").putObject(outcome.media()).putObject("schema");
        if (outcome.schema().isEmpty())
            schema.put("type", "string").put("description", outcome.description());
        else
            schema.put("$ref", SCHEMAS + outcome.schema());
    }

    private static void components(ObjectNode components, SortedMap<String, ObjectNode> schemas) {
        components.putObject("securitySchemes").putObject(PRINCIPAL).put("type", "http").put("scheme", "bearer")
                .put("description", "The token of a principal, which needs one of the named scopes. A gateway without"
                        + " principals serves its own machine without a token.");
        components.putObject("responses").putObject("Problem")
                .put("description", "The request was refused; the detail names the thing, its value and the way out.")
                .putObject("content").putObject(PROBLEM).putObject("schema").put("$ref", SCHEMAS + "Problem");
        ObjectNode all = components.putObject("schemas");
        schemas.forEach(all::set);
    }
}
