package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Tool that acts for a person: `whoami` returns the person for whom the server holds its token, `leak` fails with the
/// token in its error, as clients do that quote their request.
public final class PersonTool implements ToolModule, Authorized {
    /// Ids of the calls that had a token, in the order of their starts. Shared by all tests of this JVM.
    static final Queue<String> RAN = new ConcurrentLinkedQueue<>();

    private @Nullable TokenSource source;
    private String server = "";

    @Override
    public void configure(ObjectNode config) {
        server = config.path("server").asString("");
    }

    @Override
    public void tokens(TokenSource tokens) {
        source = tokens;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("whoami", this::whoAmI, "look", this::whoAmI, "leak", (context, input) -> {
            throw new IllegalStateException("GET /me with " + token(context) + " answered 500");
        });
    }

    private String token(ToolContext context) {
        return source != null && source.get(context) instanceof TokenAnswer.Ready ready ? ready.accessToken() : "none";
    }

    private ToolOutput whoAmI(ToolContext context, ObjectNode input) throws IOException, InterruptedException {
        if (source == null)
            throw new IllegalStateException("no source of tokens");
        return switch (source.get(context)) {
            case TokenAnswer.Ready ready -> {
                RAN.add(context.toolCallId());
                yield ToolOutput.of(Json.MAPPER.readTree(me(ready.header())));
            }
            case TokenAnswer.Required required -> ToolOutput.of(required.output());
            case TokenAnswer.Failed(var code, var message) ->
                ToolOutput.of(Json.MAPPER.createObjectNode().put("code", code).put("message", message));
        };
    }

    private String me(String header) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client
                    .send(HttpRequest.newBuilder(URI.create(server + "/me")).header("Authorization", header).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
