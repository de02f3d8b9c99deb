package dev.toolfleet.example.githublike;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Issues of a tracker, in the name of the call's user.
public final class IssueTools implements ToolModule, Authorized {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SUCCESS = 200;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private @Nullable TokenSource tokens;
    private String server = "";

    @Override
    public void configure(ObjectNode config) {
        String variable = config.path("serverVariable").asString("");
        String address = System.getenv(variable);
        if (address == null || address.isBlank())
            throw new IllegalArgumentException("config.serverVariable names '" + variable
                    + "', which is not set; it holds the tracker's address");
        server = address;
    }

    @Override
    public void tokens(TokenSource source) {
        tokens = source;
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("open", this::open);
    }

    private ToolOutput open(ToolContext context, ObjectNode input) throws IOException, InterruptedException {
        if (tokens == null)
            throw new IllegalStateException("the worker gave no source of tokens");
        return switch (tokens.get(context)) {
            case TokenAnswer.Ready ready -> ToolOutput.of(post(ready.header(), input));
            // The bundle declares onMissing: wait, so that this happens only if the grant was revoked meanwhile.
            case TokenAnswer.Required required -> ToolOutput.of(required.output());
            case TokenAnswer.Failed failed -> throw new ToolException("E_ISSUES", failed.message());
        };
    }

    private String post(String authorization, ObjectNode input) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/issues")).timeout(TIMEOUT)
                .header("Authorization", authorization).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(input.toString())).build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != SUCCESS)
            throw new ToolException("E_ISSUES", "The tracker answered " + answer.statusCode() + ".");
        return answer.body();
    }

    @Override
    public void close() {
        client.close();
    }
}
