package dev.toolfleet.cli.mcp;

import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// MCP servers to be added to a bundle.
///
/// @param servers their settings, by name
/// @param notices what was not taken as it stands, for people
public record NewServers(Map<String, ObjectNode> servers, List<String> notices) {
    /// A server from words of a command line.
    ///
    /// @param words its name, and its URL or its command with arguments
    /// @param env `NAME` or `NAME=VALUE`
    /// @param headers variables of the worker's environment by header
    /// @throws Failure (invalid) naming what is missing or does not fit
    public static NewServers of(List<String> words, List<String> env, Map<String, String> headers) {
        if (words.size() < 2)
            throw Failure.invalid("give a name and a URL or command, such as: toolfleet mcp add files node server.js;"
                    + " or --from FILE");
        ObjectNode server = Json.MAPPER.createObjectNode();
        if (words.size() == 2 && isUrl(words.get(1))) {
            if (!env.isEmpty())
                throw Failure.invalid("--env belongs to a command; give --header for a URL");
            server.put("url", words.get(1));
            headers.forEach((header, variable) -> server.withObject("/headers").set(header, ServersJson
                    .fromEnvironment(header.equalsIgnoreCase("Authorization") ? "Bearer " : "", variable)));
        } else {
            if (!headers.isEmpty())
                throw Failure.invalid("--header belongs to a URL; give --env for a command");
            server.put("command", words.get(1));
            ArrayNode args = server.putArray("args");
            words.subList(2, words.size()).forEach(args::add);
            if (args.isEmpty())
                server.remove("args");
            env.forEach(each -> variable(server.withObject("/env"), each));
        }
        return new NewServers(Map.of(words.getFirst(), server), List.of());
    }

    private static void variable(ObjectNode env, String given) {
        int equals = given.indexOf('=');
        if (equals < 0)
            env.set(given, ServersJson.fromEnvironment("", given));
        else
            env.put(given.substring(0, equals), given.substring(equals + 1));
    }

    private static boolean isUrl(String word) {
        try {
            return Set.of("http", "https").contains(String.valueOf(URI.create(word).getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Servers from the file of an MCP client.
    ///
    /// @param names those to take; empty for all
    /// @param plain the variables and headers whose values are no secrets
    /// @throws Failure (invalid) naming what cannot be used
    public static NewServers from(Path file, List<String> names, Set<String> plain) {
        ServersJson.Read read = ServersJson.read(file, plain);
        if (names.isEmpty())
            return new NewServers(read.servers(), read.notices());
        Map<String, ObjectNode> chosen = new LinkedHashMap<>();
        for (String name : names) {
            ObjectNode server = read.servers().get(name);
            if (server == null)
                throw Failure.invalid("--from " + file + ": it has no server '" + name + "'; it has "
                        + String.join(", ", read.servers().keySet()));
            chosen.put(name, server);
        }
        return new NewServers(chosen, read.notices().stream()
                .filter(notice -> names.stream().anyMatch(name -> notice.startsWith(name + ": "))).toList());
    }

    /// Returns the variables that the worker's environment must have.
    public Set<String> variables() {
        Set<String> variables = new TreeSet<>();
        servers.values().forEach(server -> variables.addAll(variables(server)));
        return variables;
    }

    /// Returns the variables that a server needs.
    static Set<String> variables(ObjectNode server) {
        Set<String> variables = new TreeSet<>();
        for (String key : List.of("env", "headers")) {
            for (JsonNode value : server.path(key)) {
                String variable = value.path("valueFrom").path("env").asString("");
                if (!variable.isEmpty())
                    variables.add(variable);
            }
        }
        return variables;
    }
}
