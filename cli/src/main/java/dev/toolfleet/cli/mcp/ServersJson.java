package dev.toolfleet.cli.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of the files in which MCP clients keep their servers: `{"mcpServers": {...}}`, or `{"servers": {...}}` as VS
/// Code has it.
///
/// **Contract.** A value of `env` or `headers` never leaves as it stands, unless it is named as plain: its place is
/// taken by a variable of the worker's environment. Placeholders of clients, such as `${TOKEN}`, name that variable.
final class ServersJson {
    private static final Pattern PLACEHOLDER = Pattern
            .compile("([^$]*)\\$\\{(?:env:|input:)?([A-Za-z_][A-Za-z0-9_-]*)(?::-[^}]*)?}");
    private static final Pattern SCHEME = Pattern.compile("(?i)(Bearer |Basic |Token )(\\S.*)");
    private static final Set<String> SAME = Set.of("command", "args", "url", "disabled");
    private static final Set<String> URLS = Set.of("serverUrl", "httpUrl");
    private static final Set<String> TYPES = Set.of("stdio", "http", "streamable-http", "streamableHttp");

    private final Path file;
    private final Set<String> plain;
    private final List<String> notices = new ArrayList<>();

    private ServersJson(Path file, Set<String> plain) {
        this.file = file;
        this.plain = plain;
    }

    /// Servers of a file.
    ///
    /// @param servers their settings in the extension, by name
    /// @param notices what was left out or changed, for people
    record Read(Map<String, ObjectNode> servers, List<String> notices) {}

    /// Reads a file.
    ///
    /// @param plain the variables and headers whose values are no secrets
    /// @throws Failure (invalid) naming what cannot be used
    static Read read(Path file, Set<String> plain) {
        ServersJson reader = new ServersJson(file, plain);
        Map<String, ObjectNode> servers = new LinkedHashMap<>();
        ObjectNode all = reader.all();
        for (String name : all.propertyNames())
            servers.put(name, reader.server(name, all.get(name)));
        return new Read(servers, List.copyOf(reader.notices));
    }

    private ObjectNode all() {
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(Files.readAllBytes(file));
        } catch (JacksonException e) {
            throw Failure.invalid("--from " + file + ": it is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw Failure.invalid("--from " + file + ": it cannot be read: " + e.getMessage());
        }
        for (String key : List.of("mcpServers", "servers")) {
            if (json.path(key) instanceof ObjectNode servers && !servers.isEmpty())
                return servers;
        }
        throw Failure.invalid("--from " + file + ": it has no servers; expected {\"mcpServers\": {\"NAME\": {...}}}");
    }

    private ObjectNode server(String name, JsonNode json) {
        if (!(json instanceof ObjectNode written))
            throw wrong(name, "is no object");
        ObjectNode server = Json.MAPPER.createObjectNode();
        for (String key : written.propertyNames()) {
            JsonNode value = written.get(key);
            if (SAME.contains(key))
                server.set(key, value);
            else if (URLS.contains(key))
                server.set("url", value);
            else if (key.equals("type"))
                checkType(name, value.asString(""));
            else if (key.equals("env") || key.equals("headers"))
                server.set(key, values(name, key, value));
            else
                notices.add(name + ": " + key + " is left out; it has no meaning here");
        }
        return server;
    }

    private void checkType(String name, String type) {
        if (!TYPES.contains(type))
            throw wrong(name, "has the type '" + type + "'; a fleet speaks stdio and streamable HTTP"
                    + (type.equals("sse") ? ". Ask the server's provider for its address of streamable HTTP" : ""));
    }

    private ObjectNode values(String name, String key, JsonNode values) {
        if (!(values instanceof ObjectNode object))
            throw wrong(name, key + " is no object");
        ObjectNode read = Json.MAPPER.createObjectNode();
        for (String field : object.propertyNames()) {
            JsonNode value = object.get(field);
            if (!value.isString() && !value.isNumber() && !value.isBoolean())
                throw wrong(name, key + "." + field + " is no text");
            read.set(field, value(name, key, field, value.asString()));
        }
        return read;
    }

    private JsonNode value(String name, String key, String field, String value) {
        Matcher placeholder = PLACEHOLDER.matcher(value);
        if (placeholder.matches())
            return fromEnvironment(placeholder.group(1), named(placeholder.group(2)));
        if (plain.contains(field))
            return Json.MAPPER.getNodeFactory().stringNode(value);
        Matcher scheme = SCHEME.matcher(value);
        String prefix = key.equals("headers") && scheme.matches() ? scheme.group(1) : "";
        String variable = key.equals("env") ? field : variable(name + "_" + field);
        notices.add(name + ": the value of " + key + "." + field + " was not copied; it comes from " + variable
                + (key.equals("env") ? ". If it is no secret, give --plain " + field : ""));
        return fromEnvironment(prefix, variable);
    }

    /// Returns the setting that takes a value from the worker's environment.
    static ObjectNode fromEnvironment(String prefix, String variable) {
        ObjectNode setting = Json.MAPPER.createObjectNode();
        if (!prefix.isEmpty())
            setting.put("prefix", prefix);
        setting.putObject("valueFrom").put("env", variable);
        return setting;
    }

    /// Inputs of VS Code may have names that no variable can have.
    private static String named(String name) {
        return name.contains("-") ? variable(name) : name;
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
    }

    private Failure wrong(String name, String problem) {
        return Failure.invalid("--from " + file + ": server '" + name + "' " + problem);
    }
}
