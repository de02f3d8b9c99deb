package dev.toolfleet.gateway.rest;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.openapi.OpenApi;
import dev.toolfleet.gateway.openapi.Operation;
import dev.toolfleet.gateway.openapi.Operations;
import io.javalin.Javalin;
import io.javalin.http.HandlerType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// The description of the API is that of the routes: no more, no less, with their parameters, fields and scopes.
class OpenApiTest {
    /// The paths that the process adds beside [GatewayRoutes].
    private static final Set<String> OF_THE_PROCESS = Set.of("/health/live", "/health/ready", "/metrics",
            "/.well-known/oauth-protected-resource", "/oauth/callback");

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @AfterEach
    void close() {
        gateway.close();
    }

    static Stream<Operation> operations() {
        return Operations.all().stream().filter(operation -> !OF_THE_PROCESS.contains(operation.path()));
    }

    @Test
    void everyRouteIsDescribedAndEveryDescribedOneIsThere() {
        Javalin registered = Javalin
                .create(config -> gateway.routes().all().forEach(route -> route.addTo(config.routes)));

        Set<String> routes = registered.unsafe.internalRouter.allHttpHandlers().stream().map(each -> each.endpoint)
                // What is read by GET may be read by HEAD.
                .filter(endpoint -> !endpoint.method.equals(HandlerType.HEAD))
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(routes).isEqualTo(operations().map(operation -> operation.method() + " " + operation.path())
                .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(Operations.all()).extracting(Operation::id).doesNotHaveDuplicates();
    }

    /// `.ci/openapi` compiles the sample, which takes npm; that an operation is missing in it is seen here.
    @Test
    void theSampleOfTheGeneratedClientUsesEveryOperation() throws IOException {
        String sample = Files.readString(Path.of("../.ci/openapi-client/sample.ts"));

        assertThat(Operations.all()).allSatisfy(operation -> assertThat(sample)
                .contains("client." + operation.method() + "(\"" + operation.path() + "\""));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void parametersAreThoseOfTheRoute(Operation operation) {
        HttpResponse<String> answer = send(gateway, operation, "?no-such-parameter=1", null);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(known(answer)).containsExactlyInAnyOrderElementsOf(operation.queryNames());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void fieldsOfTheBodyAreThoseOfTheRoute(Operation operation) {
        if (operation.body() == null)
            return;
        HttpResponse<String> answer = send(gateway, operation, "", "{\"no-such-field\":1}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        JsonNode schema = OpenApi.document(Operations.all()).at("/components/schemas/" + operation.body());
        assertThat(known(answer)).containsExactlyInAnyOrderElementsOf(schema.path("properties").propertyNames());
    }

    /// The names that a refusal of an unknown one lists.
    private static List<String> known(HttpResponse<String> answer) {
        String detail = json(answer).path("detail").asString();
        assertThat(detail).contains("is unknown here; ");
        int at = detail.indexOf("known: ");
        return at < 0
                ? List.of()
                : Arrays.asList(detail.substring(at + "known: ".length(), detail.length() - 1).split(", ", -1));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void scopesAreThoseOfTheRoute(Operation operation) {
        for (Scope scope : EnumSet.allOf(Scope.class)) {
            Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", scope.text());
            try (TestGateway one = new TestGateway(fleet, fleet.calls, settings, "t")) {
                HttpResponse<String> answer = send(one, operation, "", null);

                boolean allowed = operation.scopes().isEmpty() || operation.scopes().contains(scope);
                assertThat(answer.statusCode() != 403).as("%s with %s: %s", operation, scope, answer.body())
                        .isEqualTo(allowed);
                if (!allowed)
                    assertThat(json(answer).path("detail").asString())
                            .contains("lacks the scope " + operation.scopes().getFirst().text());
            }
        }
    }

    private static HttpResponse<String> send(TestGateway to, Operation operation, String query,
            @Nullable String body) {
        String path = operation.path().replace("{id}", "0-7").replaceAll("\\{\\w+}", "x") + query;
        return body == null
                ? to.send(to.request(path).method(operation.method(), BodyPublishers.noBody()))
                : to.post(path, body);
    }

    @Test
    void theDescriptionIsServedWithAValidator() {
        HttpResponse<String> answer = gateway.get("/openapi.json");

        assertThat(json(answer).path("openapi").asString()).startsWith("3.1.");
        assertThat(gateway.get("/openapi.json", "If-None-Match", header(answer, "ETag")).statusCode()).isEqualTo(304);
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call");
        try (TestGateway closed = new TestGateway(fleet, fleet.calls, settings, "")) {
            assertThat(closed.get("/openapi.json").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void everyReferenceLeadsToASchema() {
        ObjectNode document = OpenApi.document(Operations.all());

        Set<String> refs = new TreeSet<>();
        collect(document, refs);

        assertThat(refs).isNotEmpty().allSatisfy(ref -> assertThat(document.at(ref.substring(1)).isObject()).as(ref)
                .isTrue());
        Set<String> used = refs.stream().filter(ref -> ref.startsWith("#/components/schemas/"))
                .map(ref -> ref.substring("#/components/schemas/".length())).collect(Collectors.toSet());
        assertThat(document.at("/components/schemas").propertyNames()).as("schemas without a use")
                .containsExactlyInAnyOrderElementsOf(used);
    }

    private static void collect(JsonNode node, Set<String> refs) {
        if (node.path("$ref").isString())
            refs.add(node.path("$ref").stringValue());
        node.forEach(each -> collect(each, refs));
    }

    /// Clients are generated from the copy in `docs`, without a build.
    @Test
    void theCopyInTheDocumentationIsTheDescription() throws IOException {
        String now = OpenApi.document(Operations.all()).toPrettyString() + "\n";
        Path written = Path.of("target", "openapi.json");
        Files.writeString(written, now);

        assertThat(Path.of("..", "docs", "openapi.json"))
                .as("docs/openapi.json; the present one is gateway/target/openapi.json, copy it")
                .hasContent(now);
    }
}
