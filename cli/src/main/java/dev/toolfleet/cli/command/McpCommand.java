package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.mcp.BundleServers;
import dev.toolfleet.cli.mcp.NewServers;
import dev.toolfleet.cli.mcp.ServerLook;
import dev.toolfleet.cli.mcp.ServerTable;
import dev.toolfleet.cli.terminal.Failure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import static java.util.Objects.requireNonNull;

@Command(name = "mcp", header = "Adds MCP servers to a bundle, and tries and approves their tools.", synopsisSubcommandLabel = "COMMAND", footer = {
        "", "Examples:", "  toolfleet mcp add files npx -y @modelcontextprotocol/server-filesystem .",
        "  toolfleet mcp add --from ~/.cursor/mcp.json", "  toolfleet mcp test", "  toolfleet mcp approve files"})
final class McpCommand extends CommandGroup {
    private McpCommand(CommandContext context) {
        super(context, "what about MCP servers? There are: toolfleet mcp add, list, test, approve, remove");
    }

    /// Adds the command. What follows a new server's name is the server's own line.
    static void addTo(CommandLine root, CommandContext context) {
        CommandLine mcp = new CommandLine(new McpCommand(context));
        requireNonNull(mcp.getSubcommands().get("add")).setStopAtPositional(true);
        root.addSubcommand(mcp);
    }

    /// The bundle and its Extension.
    static final class Place {
        @Option(names = "--bundle", paramLabel = "DIR", description = "The bundle's folder (default: this one).")
        private Path folder = Path.of(".");

        @Option(names = "--extension", paramLabel = "NAME", description = "The Extension, if the bundle has several with the entry builtin:mcp.")
        private @Nullable String extension;

        BundleServers servers() {
            return BundleServers.in(folder, extension);
        }
    }

    /// `mcp add`.
    @Command(name = "add", header = "Adds MCP servers to a bundle.", description = {"",
            "Writes them into the bundle's Extension with the entry builtin:mcp, and makes it if there is none. A server is"
                    + " a URL, or a command with its arguments; options come before the NAME. With --from, servers come"
                    + " from the file of an MCP client, all or those that are named.",
            "Secrets are not written: values of env and headers come from the worker's environment."}, footer = {"",
                    "Examples:", "  toolfleet mcp add files node /opt/mcp/filesystem/index.js .",
                    "  toolfleet mcp add --env GITHUB_TOKEN github /opt/mcp/github-mcp-server stdio",
                    "  toolfleet mcp add --header Authorization=TICKETS_TOKEN tickets https://mcp.example.com/mcp",
                    "  toolfleet mcp add --from ~/.cursor/mcp.json --bundle my-tools", "",
                    "Exit codes: 0 added, 2 the input or the bundle is invalid and nothing was written."})
    int add(@Mixin Place place,
            @Option(names = "--from", paramLabel = "FILE", description = "A file with mcpServers, or with servers as VS Code has it.") @Nullable Path from,
            @Option(names = "--plain", paramLabel = "NAME", description = "With --from: a variable or header whose value is no secret and is copied. May be repeated.") @Nullable List<String> plain,
            @Option(names = "--env", paramLabel = "NAME[=VALUE]", description = "A variable of the command: with a value that is no secret, else from the worker's environment. May be repeated.") @Nullable List<String> env,
            @Option(names = "--header", paramLabel = "NAME=VARIABLE", description = "A header of requests to the URL, from a variable of the worker's environment. Authorization gets the prefix 'Bearer '. May be repeated.") @Nullable Map<String, String> headers,
            @Parameters(index = "0..*", paramLabel = "NAME [COMMAND...]", description = "The server's name, and its URL or command. With --from, the names of servers in the file.") @Nullable List<String> words) {
        List<String> given = words == null ? List.of() : words;
        NewServers added = from == null
                ? NewServers.of(given, env == null ? List.of() : env, headers == null ? Map.of() : headers)
                : NewServers.from(from, given, new LinkedHashSet<>(plain == null ? List.of() : plain));
        if (from != null && (env != null || headers != null))
            throw Failure.invalid("--env and --header belong to a server that is added by its name, not to --from");
        if (from == null && plain != null)
            throw Failure.invalid("--plain belongs to --from; give --env NAME=VALUE");
        BundleServers servers = place.servers();
        String file = servers.add(added.servers());
        added.notices().forEach(context().terminal()::print);
        context().terminal().print(file + ": " + servers.reference() + " has " + String.join(", ",
                added.servers().keySet()) + " now");
        if (!servers.isListed())
            context().terminal().print("No Agent of the bundle lists it yet; write in its spec: extensions: ["
                    + servers.reference() + "]");
        if (!added.variables().isEmpty())
            context().terminal().print("Set " + String.join(", ", added.variables())
                    + " in the environment of workers, and of toolfleet mcp test");
        context().terminal().print("Next: toolfleet mcp test");
        return Failure.SUCCESS;
    }

    /// `mcp list`.
    @Command(name = "list", header = "Lists the MCP servers of a bundle.", description = {"",
            "Connects to none of them."}, footer = {
                    "", "Example:", "  toolfleet mcp list --bundle my-tools"})
    int list(@Mixin Place place,
            @Option(names = "--json", description = "Print the settings as JSON.") boolean json) {
        ServerTable.print(place.servers(), json, context().terminal());
        return Failure.SUCCESS;
    }

    /// `mcp test`.
    @Command(name = "test", header = "Connects to MCP servers as a worker does, and lists their tools.", description = {
            "", "No tool is called. Prints which tools a worker would publish, and why not the others."}, footer = {"",
                    "Examples:", "  toolfleet mcp test",
                    "  toolfleet mcp test --set worker.sandbox.readable=/opt/mcp files", "",
                    "Exit codes: 0 all servers answer and nothing is withheld, 1 not so, 2 the bundle is invalid."})
    int test(@Mixin Place place, @Mixin ConfigOptions config,
            @Parameters(paramLabel = "SERVER", description = "The servers (default: all).") @Nullable List<String> names)
            throws InterruptedException {
        return look(place).test(names == null ? List.of() : names, config.load(context().environment(), Map.of()));
    }

    /// `mcp approve`.
    @Command(name = "approve", header = "Shows definitions of a server's tools, and pins them.", description = {"",
            "A pinned tool is withheld when its definition changes, and a tool without a pin is withheld once its server"
                    + " has pins. Without --if, the command shows what waits for approval and writes nothing; with the"
                    + " digits that it prints, it pins just these definitions."}, footer = {"", "Examples:",
                            "  toolfleet mcp approve files", "  toolfleet mcp approve --if 0c4b25d1f9a3 files", "",
                            "Exit codes: 0 all are approved, 1 some wait or are others than those that were seen, 2 invalid."})
    int approve(@Mixin Place place, @Mixin ConfigOptions config,
            @Option(names = "--if", paramLabel = "DIGITS", description = "Pins the definitions if they are those for which these digits were printed.") @Nullable String seen,
            @Parameters(index = "0", paramLabel = "SERVER", description = "The server.") String name,
            @Parameters(index = "1..*", paramLabel = "TOOL", description = "The server's names of the tools (default: all).") @Nullable List<String> tools)
            throws InterruptedException {
        return look(place).approve(name, tools == null ? List.of() : new ArrayList<>(new LinkedHashSet<>(tools)), seen,
                config.load(context().environment(), Map.of()));
    }

    /// `mcp remove`.
    @Command(name = "remove", header = "Removes MCP servers from a bundle.", footer = {"", "Example:",
            "  toolfleet mcp remove files"})
    int remove(@Mixin Place place,
            @Parameters(arity = "1..*", paramLabel = "SERVER", description = "The servers.") List<String> names) {
        names.forEach(place.servers()::server);
        for (String name : names)
            context().terminal().print(place.servers().remove(name) + ": '" + name + "' is removed");
        return Failure.SUCCESS;
    }

    private ServerLook look(Place place) {
        return new ServerLook(place.folder, place.servers(), context().terminal(),
                new LinkedHashMap<>(context().environment()));
    }
}
