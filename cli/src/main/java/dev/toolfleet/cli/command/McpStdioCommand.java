package dev.toolfleet.cli.command;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.mcp.relay.StdioRelay;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcLimits;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "mcp-stdio", header = "Serves a gateway's tools to an MCP client that speaks stdio alone.", description = {
        "", "The client starts this command, and speaks with it over its standard streams. Messages go to the gateway"
                + " as they are. While the gateway is away, requests wait; a call whose answer was lost is sent again with"
                + " its idempotency key, so it runs once."}, footer = {"",
                        "Example, in the configuration of a client:",
                        "  {\"mcpServers\": {\"toolfleet\": {\"command\": \"toolfleet\", \"args\":",
                        "    [\"mcp-stdio\", \"--url\", \"http://127.0.0.1:7072/mcp/agents/coder\"]}}}", "",
                        "Exit codes: 0 the client has closed its side, 2 usage."})
final class McpStdioCommand implements Callable<Integer> {
    /// Part of a URL that names the instance: sessions choose none then, and a key names the same call in all of them.
    private static final String INSTANCE = "/instances/";

    private final CommandContext context;

    @Option(names = "--url", required = true, paramLabel = "URL", description = "The address of an agent at a gateway, such as http://127.0.0.1:7072/mcp/agents/coder, or of an instance: .../mcp/instances/KEY/agents/coder.")
    private URI url = URI.create("");

    @Option(names = "--header", paramLabel = "NAME=VARIABLE", description = "A header of each request, from a variable of the environment. Authorization gets the prefix 'Bearer '. May be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--patience", paramLabel = "DURATION", converter = DurationOption.class, description = "How long the gateway may be away before requests end with an error (default: 60s).")
    private Duration patience = Duration.ofSeconds(60);

    McpStdioCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        // The streams themselves: what else the process prints must not come between messages.
        try (FileInputStream in = new FileInputStream(FileDescriptor.in);
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            new StdioRelay(new StdioRelay.Settings(endpoint(), url.getPath().contains(INSTANCE), patience, this::tell),
                    new RpcCodec(RpcLimits.DEFAULT),
                    out).run(in);
        }
        return Failure.SUCCESS;
    }

    private void tell(String notice) {
        context.terminal().err().println("toolfleet mcp-stdio: " + notice);
        context.terminal().err().flush();
    }

    private HttpEndpoint endpoint() {
        Map<String, String> values = new LinkedHashMap<>();
        headers.forEach((header, variable) -> {
            String value = context.environment().get(variable);
            if (value == null)
                throw Failure.invalid("--header " + header + "=" + variable + ": the variable " + variable
                        + " is not set");
            values.put(header, (header.equalsIgnoreCase("Authorization") ? "Bearer " : "") + value);
        });
        try {
            return HttpEndpoint.of(url, values);
        } catch (IllegalArgumentException e) {
            throw Failure.invalid("--url " + url + ": " + e.getMessage());
        }
    }
}
