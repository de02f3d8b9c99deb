package dev.toolfleet.worker.bridge;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import dev.toolfleet.worker.bridge.ServerSettings.ToolSettings;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.egress.HostName;
import dev.toolfleet.worker.sandbox.ConfinedProgram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reader of the configuration of the extension `mcp`.
///
/// @param env the worker's environment; returns null for a variable that is not set
/// @param egress the hosts that tools may reach
record BridgeConfig(UnaryOperator<@Nullable String> env, EgressList egress) {
    /// The longest name of a server: its tools' names need room too.
    static final int LONGEST_NAME = 32;

    private static final int MOST_INLINE = 64 * 1024;
    private static final int MOST_INLINE_ALLOWED = 512 * 1024;
    private static final Duration START = Duration.ofSeconds(10);
    private static final Duration LONGEST_START = Duration.ofMinutes(10);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern PIN = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Set<String> OF_PROGRAM = Set.of("command", "args", "env");
    private static final Set<String> OF_WEB = Set.of("url", "headers", "auth");
    private static final Set<String> KEYS = Set.of("type", "command", "args", "env", "url", "headers", "auth",
            "disabled",
            "startTimeout", "maxInlineBytes", "scope", "trust", "onChange", "pins", "defaults", "tools");
    private static final Set<String> ANNOTATIONS = Set.of("readOnly", "idempotent", "destructive", "openWorld");
    private static final Set<String> EXPORT = Set.of("description", "group", "timeout", "requiresApproval",
            "isTransactional", "accessesSensitiveData", "limits", "retry", "async");

    /// Returns the settings of a server and of a tool.
    static Set<String> keys() {
        Set<String> keys = new TreeSet<>(KEYS);
        keys.addAll(ANNOTATIONS);
        keys.addAll(EXPORT);
        return keys;
    }

    /// Returns the servers that are not disabled.
    ///
    /// @throws IllegalArgumentException naming the setting that cannot be used
    List<ServerSettings> servers(ObjectNode config) {
        ConfigReader servers = new ConfigReader("config", config, env).only(Set.of("servers")).object("servers");
        List<ServerSettings> settings = new ArrayList<>();
        for (String name : servers.json().propertyNames()) {
            checkName(servers, name);
            ConfigReader server = servers.object(name).only(KEYS);
            if (!server.flag("disabled", false))
                settings.add(server(name, server));
        }
        return settings;
    }

    private static void checkName(ConfigReader servers, String name) {
        Optional<String> problem = ToolName.partProblem(name);
        if (problem.isPresent())
            throw servers.wrong(name, "cannot name a server: it " + problem.get());
        if (name.length() > LONGEST_NAME)
            throw servers.wrong(name, "cannot name a server: it may have " + LONGEST_NAME + " characters");
    }

    private ServerSettings server(String name, ConfigReader server) {
        ObjectNode written = JsonNodeFactory.instance.objectNode();
        for (String key : List.of("command", "args", "env", "url", "headers")) {
            if (server.has(key))
                written.set(key, server.json().get(key));
        }
        String connection = Digests.sha256(CanonicalJson.of(written)).substring("sha256:".length());
        return new ServerSettings(name, connection, address(connection, server),
                server.object("trust").only(Set.of("annotations")).flag("annotations", false),
                server.choice("onChange", List.of("withhold", "accept")).equals("accept"),
                export(server.object("defaults")), tools(server.object("tools")), pins(server.object("pins")),
                server.integer("maxInlineBytes", MOST_INLINE, 0, MOST_INLINE_ALLOWED), auth(server),
                isOfInstance(server));
    }

    /// Calls of such a server act for their users. The worker's own requests, such as that of the list of tools, do not.
    private static Optional<ObjectNode> auth(ConfigReader server) {
        if (!server.has("auth") || !server.has("url"))
            return Optional.empty();
        ConfigReader auth = server.object("auth").only(Set.of("oauthApp", "scopes", "onMissing"));
        URI url = URI.create(server.text("url"));
        if (!"https".equals(url.getScheme()) && !LOOPBACK.contains(String.valueOf(url.getHost())))
            throw server.wrong("url", "must begin with https, because tokens of people go there");
        ObjectNode export = JsonNodeFactory.instance.objectNode();
        String app = auth.text("oauthApp");
        export.put("oauthAppRef", app.startsWith(Kinds.OAUTH_APP + "/") ? app : Kinds.OAUTH_APP + "/" + app);
        if (auth.has("scopes"))
            auth.texts("scopes").forEach(export.putArray("scopes")::add);
        if (auth.has("onMissing"))
            export.put("onMissing", auth.choice("onMissing", List.of("return", "wait")));
        return Optional.of(export);
    }

    private static boolean isOfInstance(ConfigReader server) {
        if (!server.has("scope") || server.choice("scope", List.of("worker", "instance")).equals("worker"))
            return false;
        if (!server.has("command"))
            throw server.wrong("scope", "can be 'instance' only for a server with a command");
        return true;
    }

    private ServerAddress address(String connection, ConfigReader server) {
        boolean program = server.has("command");
        if (program == server.has("url"))
            throw server.wrong("command", "starts a server, and url connects to one: exactly one of both is needed");
        for (String key : program ? OF_WEB : OF_PROGRAM) {
            if (server.has(key))
                throw server.wrong(key, "does not belong to a server with " + (program ? "a command" : "a url"));
        }
        if (server.has("type"))
            server.choice("type", program ? List.of("stdio") : List.of("http", "streamable-http"));
        Duration start = server.duration("startTimeout", START, LONGEST_START);
        return program ? program(connection, server, start) : web(server, start);
    }

    private static ServerAddress program(String connection, ConfigReader server, Duration start) {
        List<String> line = new ArrayList<>(List.of(server.text("command")));
        line.addAll(server.texts("args"));
        Map<String, String> variables = server.secrets("env");
        for (String variable : variables.keySet()) {
            if (!ConfinedProgram.isVariable(variable))
                throw server.object("env").wrong(variable, "is not the name of a variable");
        }
        return new ServerAddress.Program(line, variables, "mcp-server-" + connection.substring(0, 12), start);
    }

    private ServerAddress web(ConfigReader server, Duration start) {
        URI url;
        Map<String, String> headers = server.secrets("headers");
        try {
            url = new URI(server.text("url"));
            if (url.getUserInfo() != null || url.getFragment() != null)
                throw server.wrong("url", "must have neither a user nor a fragment");
            HttpEndpoint.of(url, headers);
        } catch (URISyntaxException e) {
            throw server.wrong("url", "is no URL: " + e.getReason());
        } catch (IllegalArgumentException e) {
            throw server.wrong("url", "cannot be used: " + e.getMessage());
        }
        refusal(url).ifPresent(reason -> {
            throw server.wrong("url", "leads where tools may not connect: " + reason);
        });
        return new ServerAddress.Web(url, headers, start);
    }

    private Optional<String> refusal(URI url) {
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
        return egress.refusal(HostName.parse(url.getHost()), port);
    }

    private static Map<String, ToolSettings> tools(ConfigReader tools) {
        Map<String, ToolSettings> settings = new HashMap<>();
        for (String name : tools.json().propertyNames()) {
            ConfigReader tool = tools.object(name);
            settings.put(name, new ToolSettings(tool.flag("enabled", true), export(tool)));
        }
        return settings;
    }

    /// The fields of an export; those of annotations stand beside them.
    private static ObjectNode export(ConfigReader fields) {
        ObjectNode export = JsonNodeFactory.instance.objectNode();
        for (String key : fields.json().propertyNames()) {
            if (ANNOTATIONS.contains(key))
                export.withObject("/annotations").put(key, fields.flag(key, false));
            else if (EXPORT.contains(key))
                export.set(key, fields.json().get(key));
            else if (!key.equals("enabled"))
                throw fields.wrong(key, "is not a setting of a tool");
        }
        return export;
    }

    private static Map<String, String> pins(ConfigReader pins) {
        Map<String, String> digests = new LinkedHashMap<>();
        for (String tool : pins.json().propertyNames()) {
            String digest = pins.text(tool);
            if (!PIN.matcher(digest).matches())
                throw pins.wrong(tool, "must be a digest, 'sha256:' and 64 digits");
            digests.put(tool, digest);
        }
        return digests;
    }
}
