package dev.toolfleet.cli.mcp;

import java.util.Map;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.terminal.Terminal;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The MCP servers of a bundle, for people.
public final class ServerTable {
    private static final int FILE_WIDTH = 160;

    private ServerTable() {}

    /// Prints them.
    ///
    /// @param json true for their settings as JSON
    public static void print(BundleServers servers, boolean json, Terminal terminal) {
        if (json) {
            ObjectNode all = Json.MAPPER.createObjectNode();
            servers.servers().forEach(all::set);
            terminal.print(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(all));
            return;
        }
        if (servers.servers().isEmpty()) {
            terminal.print("The bundle has no MCP servers. Add one: toolfleet mcp add");
            return;
        }
        Grid grid = new Grid(terminal.interactive() ? terminal.width() : FILE_WIDTH, "server", "state", "pins",
                "variables", "address");
        for (Map.Entry<String, ObjectNode> each : servers.servers().entrySet()) {
            ObjectNode server = each.getValue();
            grid.row(each.getKey(), server.path("disabled").asBoolean(false) ? "disabled" : "in use",
                    String.valueOf(server.path("pins").size()), String.join(", ", NewServers.variables(server)),
                    address(server));
        }
        grid.lines(new Style(terminal.colour())).forEach(terminal::print);
        if (!servers.isListed())
            terminal.print("No Agent of the bundle lists " + servers.reference() + ".");
    }

    private static String address(ObjectNode server) {
        if (server.has("url"))
            return server.path("url").asString("");
        StringBuilder line = new StringBuilder(server.path("command").asString(""));
        for (JsonNode argument : server.path("args"))
            line.append(' ').append(argument.asString(""));
        return line.toString();
    }
}
