package dev.toolfleet.gateway.rest;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolfleet.gateway.openapi.OpenApi;
import dev.toolfleet.gateway.openapi.Operation;
import dev.toolfleet.gateway.openapi.Operations;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Check that an answer is one that the description has: status, media type and body of its operation. Every answer to
/// a test of the routes passes it.
final class DescribedAnswers {
    private static final ObjectNode DOCUMENT = OpenApi.document(Operations.all());
    private static final SchemaRegistry REGISTRY = SchemaRegistry
            .withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();
    private static final String PROBLEM = "application/problem+json";

    private DescribedAnswers() {}

    static void check(HttpResponse<String> answer) {
        int status = answer.statusCode();
        String media = answer.body().isEmpty()
                ? ""
                : TestGateway.header(answer, "Content-Type").replaceFirst(";.*", "");
        if (status >= 400) {
            assertThat(media).as("the media type of a refusal: %s", answer.body()).isEqualTo(PROBLEM);
            matches("Problem", answer);
            return;
        }
        String path = answer.request().uri().getRawPath();
        for (Operation operation : Operations.all())
            if (operation.method().equals(answer.request().method()) && isOf(operation, path))
                described(operation, status, media, answer);
    }

    private static boolean isOf(Operation operation, String path) {
        return Pattern.matches(operation.path().replaceAll("\\{\\w+}", "[^/]+"), path);
    }

    private static void described(Operation operation, int status, String media, HttpResponse<String> answer) {
        List<Operation.Outcome> outcomes = operation.outcomes().stream()
                .filter(outcome -> outcome.status() == status && outcome.media().equals(media)).toList();
        assertThat(outcomes).as("outcomes of %s with %s and %s", operation.id(), status, media).hasSize(1);
        if (!outcomes.getFirst().schema().isEmpty())
            matches(outcomes.getFirst().schema(), answer);
    }

    private static void matches(String schema, HttpResponse<String> answer) {
        JsonNode body = Json.MAPPER.readTree(answer.body());
        assertThat(SCHEMAS.computeIfAbsent(schema, DescribedAnswers::schema).validate(body).stream()
                .map(Error::toString)).as("errors of %s by %s", answer.body(), schema).isEmpty();
    }

    private static Schema schema(String name) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("$ref", "#/components/schemas/" + name);
        schema.set("components", DOCUMENT.get("components"));
        return REGISTRY.getSchema(schema);
    }
}
