package dev.toolfleet.cli.mcp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.toolfleet.cli.fleet.LocalWorker;
import dev.toolfleet.cli.fleet.TempFolder;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.config.FleetConfig;
import dev.toolfleet.json.Digests;
import dev.toolfleet.mcp.client.McpException;
import dev.toolfleet.mcp.protocol.ToolDefinition;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.publishing.apply.LocalBundle;
import dev.toolfleet.worker.app.WorkerConfig;
import dev.toolfleet.worker.bridge.ServerInspector;
import dev.toolfleet.worker.bridge.ServerPool;
import dev.toolfleet.worker.bridge.ToolChoice;
import dev.toolfleet.worker.bridge.ToolChoice.Verdict;
import dev.toolfleet.worker.sandbox.Sandbox;
import org.jspecify.annotations.Nullable;

/// The commands `mcp test` and `mcp approve`: they connect to the MCP servers of a bundle as a worker with the same
/// configuration does, without a broker, and list the tools. No tool is called.
public final class ServerLook {
    private static final int DIGITS = 12;

    private final Path folder;
    private final BundleServers servers;
    private final Terminal terminal;
    private final Map<String, String> environment;

    /// @param folder of the bundle
    /// @param servers the bundle's
    /// @param environment has the secrets of servers
    public ServerLook(Path folder, BundleServers servers, Terminal terminal, Map<String, String> environment) {
        this.folder = folder;
        this.servers = servers;
        this.terminal = terminal;
        this.environment = environment;
    }

    private interface Work<T> {
        T with(ServerInspector inspector) throws InterruptedException;
    }

    /// Prints, for each server, the tools that a worker would publish, and why it would not publish the others.
    ///
    /// @param names of servers; empty for all
    /// @return 0 if all servers answer and none of their tools waits for approval, else 1
    public int test(Collection<String> names, FleetConfig config) throws InterruptedException {
        names.forEach(servers::server);
        return inside(config, inspector -> {
            List<String> present = inspector.servers(servers.config());
            names.stream().filter(name -> !present.contains(name)).forEach(name -> {
                throw Failure.invalid("the MCP server '" + name + "' is disabled");
            });
            if (present.isEmpty())
                throw Failure.invalid("the bundle " + folder + " has no MCP server; add one: toolfleet mcp add");
            boolean good = true;
            for (String name : names.isEmpty() ? present : names)
                good &= test(name, inspector);
            return good ? Failure.SUCCESS : Failure.FAILED;
        });
    }

    private boolean test(String name, ServerInspector inspector) throws InterruptedException {
        ServerInspector.Report report;
        try {
            report = inspector.inspect(servers.config(), name);
        } catch (IOException | McpException e) {
            terminal.print(name + "  cannot be reached: " + e.getMessage());
            return false;
        }
        terminal.print(name + "  " + (report.title().isEmpty() ? "" : report.title() + ", ") + "revision "
                + report.revision());
        for (ToolChoice tool : report.tools())
            terminal.print("  " + word(tool.verdict()) + "  " + (tool.reason().isEmpty()
                    ? tool.name()
                    : tool.name() + ": " + tool.reason()));
        long published = count(report, Verdict.PUBLISHED);
        long withheld = count(report, Verdict.WITHHELD);
        boolean isPinned = servers.server(name).path("pins").isObject();
        terminal.print("  " + published + " of " + report.tools().size() + " tools are published"
                + (isPinned ? "" : "; their definitions are not pinned")
                + (withheld == 0 && isPinned ? "" : ". Look at them: toolfleet mcp approve " + name));
        return withheld == 0 && published > 0;
    }

    private static long count(ServerInspector.Report report, Verdict verdict) {
        return report.tools().stream().filter(each -> each.verdict() == verdict).count();
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PUBLISHED -> "published";
            case OFF -> "off      ";
            case WITHHELD -> "WITHHELD ";
            case LEFT_OUT -> "LEFT OUT ";
        };
    }

    /// Shows the definitions of tools that are not approved, and approves them if they are those that were seen before.
    ///
    /// @param name of the server
    /// @param tools the server's names of the tools to approve; empty for all that are not switched off
    /// @param seen the digits printed with the definitions that were seen; null to show them
    /// @return 0 if all of these definitions are approved now, else 1
    public int approve(String name, Collection<String> tools, @Nullable String seen, FleetConfig config)
            throws InterruptedException {
        SortedMap<String, String> before = pins(name);
        Proposal proposal = Proposal.of(name, before,
                inside(config, inspector -> listed(name, inspector)), tools);
        if (proposal.pins().equals(before)) {
            terminal.print("All definitions are approved.");
            return Failure.SUCCESS;
        }
        if (proposal.digits().equals(seen)) {
            terminal.print(servers.pin(name, proposal.pins()) + ": " + proposal.pins().size() + " definitions of '"
                    + name + "' are pinned");
            return Failure.SUCCESS;
        }
        proposal.open().forEach(tool -> show(tool, before.containsKey(tool.name())));
        if (seen != null)
            throw Failure.failed("--if " + seen + ": these are other definitions than those that were seen; they are "
                    + proposal.digits());
        terminal.print(
                proposal.open().size() + " definitions wait for approval. Approve them: toolfleet mcp approve --if "
                        + proposal.digits() + " " + name
                        + tools.stream().map(tool -> " " + tool).collect(Collectors.joining()));
        return Failure.FAILED;
    }

    private SortedMap<String, String> pins(String name) {
        SortedMap<String, String> pins = new TreeMap<>();
        servers.server(name).path("pins").properties()
                .forEach(pin -> pins.put(pin.getKey(), pin.getValue().asString("")));
        return pins;
    }

    /// Pins that a server would have.
    ///
    /// @param pins digests by the server's names of the tools
    /// @param open the definitions that have no pin now, or another
    private record Proposal(SortedMap<String, String> pins, List<ToolDefinition> open) {
        /// @param tools those to pin beside the present pins; empty for all that are listed, and no others
        static Proposal of(String server, SortedMap<String, String> before, SortedMap<String, ToolDefinition> listed,
                Collection<String> tools) {
            tools.stream().filter(tool -> !listed.containsKey(tool)).findFirst().ifPresent(tool -> {
                throw Failure.invalid("the MCP server '" + server + "' lists no tool '" + tool
                        + "' that may be published; it lists " + String.join(", ", listed.keySet()));
            });
            SortedMap<String, String> pins = new TreeMap<>(before);
            if (tools.isEmpty())
                pins.keySet().retainAll(listed.keySet());
            List<ToolDefinition> open = new ArrayList<>();
            for (ToolDefinition tool : listed.values()) {
                String digest = ToolChoice.digest(tool);
                if ((tools.isEmpty() || tools.contains(tool.name())) && !digest.equals(pins.put(tool.name(), digest)))
                    open.add(tool);
            }
            return new Proposal(pins, open);
        }

        /// Returns the digits that stand for these pins.
        String digits() {
            return Digests.sha256(pins.toString()).substring("sha256:".length()).substring(0, DIGITS);
        }
    }

    private SortedMap<String, ToolDefinition> listed(String name, ServerInspector inspector)
            throws InterruptedException {
        try {
            SortedMap<String, ToolDefinition> listed = new TreeMap<>();
            for (ToolChoice tool : inspector.inspect(servers.config(), name).tools()) {
                if (tool.definition() != null
                        && (tool.verdict() == Verdict.PUBLISHED || tool.verdict() == Verdict.WITHHELD))
                    listed.putIfAbsent(tool.tool(), tool.definition());
            }
            return listed;
        } catch (IOException | McpException e) {
            throw Failure.failed("the MCP server '" + name + "' cannot be reached: " + e.getMessage(), e);
        }
    }

    private void show(ToolDefinition tool, boolean isChanged) {
        terminal.print(tool.name() + (isChanged ? "  CHANGED" : "  new"));
        terminal.print("  " + tool.description().strip().replace("\n", "\n  "));
        terminal.print("  parameters " + tool.inputSchema());
        if (tool.outputSchema() != null)
            terminal.print("  output " + tool.outputSchema());
        if (tool.json().has("annotations"))
            terminal.print("  annotations " + tool.json().get("annotations"));
        terminal.print("");
    }

    private <T> T inside(FleetConfig config, Work<T> work) throws InterruptedException {
        LocalBundle bundle = LocalBundle.calledLikeItsFolder(BundleCheck.check(folder));
        try (TempFolder temporary = TempFolder.create()) {
            WorkerConfig worker = LocalWorker.config(config, temporary.path(), bundle);
            Path workspace = worker.folders().workspace();
            try (Sandbox sandbox = Sandbox.prepare(worker.folders().sandbox(), workspace)) {
                return work.with(new ServerInspector(new ServerPool.Host(sandbox, workspace,
                        worker.calls().egress().list(), environment, worker.identity().registrationLease())));
            } catch (IllegalArgumentException e) {
                throw Failure.invalid(servers.reference() + ": " + e.getMessage());
            }
        }
    }
}
