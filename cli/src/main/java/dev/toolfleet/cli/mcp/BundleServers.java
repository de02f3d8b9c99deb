package dev.toolfleet.cli.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.BundleProblem;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.ProblemText;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.bundle.Severity;
import dev.toolfleet.bundle.check.BundleReport;
import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.BundleCheck;
import dev.toolfleet.worker.bridge.ServerInspector;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The Extension in a bundle's folder whose `entry` is `builtin:mcp`, and changes to its servers.
///
/// **Contract.** A change replaces the file as a whole, or nothing: it is refused if the configuration would be invalid,
/// or if the file would hold a secret in plain text that it does not hold now.
///
/// **Threads.** One.
public final class BundleServers {
    private static final String ENTRY = "builtin:mcp";
    private static final String NEW_NAME = "mcp";

    private final Path folder;
    private final Bundle bundle;
    private final @Nullable Resource extension;

    private BundleServers(Path folder, Bundle bundle, @Nullable Resource extension) {
        this.folder = folder;
        this.bundle = bundle;
        this.extension = extension;
    }

    /// Reads a bundle.
    ///
    /// @param name of the Extension; null if the bundle has at most one for MCP servers
    /// @throws Failure (invalid) if a file cannot be read, or it is not clear which Extension is meant
    public static BundleServers in(Path folder, @Nullable String name) {
        BundleLoader.LoadResult loaded = BundleLoader.load(folder);
        List<BundleProblem> errors = loaded.problems().stream()
                .filter(problem -> problem.severity() == Severity.ERROR).toList();
        if (!errors.isEmpty())
            throw Failure.invalid("the bundle " + folder + " cannot be read:\n"
                    + String.join("\n", errors.stream().map(ProblemText::of).toList()));
        List<Resource> found = loaded.bundle().ofKind(Kinds.EXTENSION).stream()
                .filter(each -> each.spec().path("entry").asString("").equals(ENTRY))
                .filter(each -> name == null || each.name().equals(name)).toList();
        if (name != null && found.isEmpty())
            throw Failure.invalid("--extension " + name + ": the bundle " + folder + " has no such Extension with the"
                    + " entry " + ENTRY);
        if (found.size() > 1)
            throw Failure.invalid("the bundle " + folder + " has several Extensions with the entry " + ENTRY + ": "
                    + String.join(", ", found.stream().map(Resource::name).toList()) + "; choose one by --extension");
        return new BundleServers(folder, loaded.bundle(), found.isEmpty() ? null : found.getFirst());
    }

    /// Returns the configuration of the Extension; empty if there is none.
    public ObjectNode config() {
        return extension != null && extension.spec().path("config") instanceof ObjectNode config
                ? config.deepCopy()
                : Json.MAPPER.createObjectNode();
    }

    /// Returns the settings of the servers, by name, disabled ones too.
    public SequencedMap<String, ObjectNode> servers() {
        SequencedMap<String, ObjectNode> servers = new LinkedHashMap<>();
        if (config().path("servers") instanceof ObjectNode all) {
            for (String name : all.propertyNames()) {
                if (all.get(name) instanceof ObjectNode server)
                    servers.put(name, server);
            }
        }
        return servers;
    }

    /// Returns the settings of a server.
    ///
    /// @throws Failure (invalid) listing the servers that there are
    public ObjectNode server(String name) {
        ObjectNode server = servers().get(name);
        if (server == null)
            throw Failure.invalid("the bundle " + folder + " has no MCP server '" + name + "'; it has "
                    + (servers().isEmpty() ? "none" : String.join(", ", servers().keySet())));
        return server;
    }

    /// Returns the Extension as references write it.
    public String reference() {
        return "Extension/" + (extension == null ? NEW_NAME : extension.name());
    }

    /// True if an Agent of the bundle lists the Extension.
    public boolean isListed() {
        return bundle.ofKind(Kinds.AGENT).stream().flatMap(agent -> agent.spec().path("extensions").valueStream())
                .map(each -> each.isObject() ? each.path("ref").asString("") : each.asString(""))
                .anyMatch(reference()::equals);
    }

    /// Adds servers that are not there yet.
    ///
    /// @return the file that was changed, relative to the bundle's folder
    /// @throws Failure (invalid) if a server is there already or cannot be used
    public String add(Map<String, ObjectNode> servers) {
        servers.keySet().stream().filter(servers()::containsKey).findFirst().ifPresent(name -> {
            throw Failure.invalid("the bundle " + folder + " has an MCP server '" + name
                    + "' already; remove it first: toolfleet mcp remove " + name);
        });
        String file = file();
        String text = read(file);
        if (extension == null)
            text = withExtension(text);
        String name = extension == null ? NEW_NAME : extension.name();
        for (Map.Entry<String, ObjectNode> server : servers.entrySet())
            text = YamlEdit.of(file, text, Kinds.EXTENSION, name)
                    .put(List.of("spec", "config", "servers", server.getKey()), server.getValue());
        write(file, text);
        return file;
    }

    /// Sets the approved definitions of a server.
    ///
    /// @param pins digests by the server's names of the tools
    /// @return the file that was changed, relative to the bundle's folder
    public String pin(String server, Map<String, String> pins) {
        ObjectNode digests = Json.MAPPER.createObjectNode();
        pins.forEach(digests::put);
        String file = file();
        write(file, edit(file).put(List.of("spec", "config", "servers", server, "pins"), digests));
        return file;
    }

    /// Removes a server.
    ///
    /// @return the file that was changed, relative to the bundle's folder
    public String remove(String server) {
        server(server);
        String file = file();
        write(file, edit(file).remove(List.of("spec", "config", "servers", server)));
        return file;
    }

    private YamlEdit edit(String file) {
        return YamlEdit.of(file, read(file), Kinds.EXTENSION, extension == null ? NEW_NAME : extension.name());
    }

    /// The file with the Extension, else that of the first resource.
    private String file() {
        return extension == null ? bundle.resources().getFirst().file() : extension.file();
    }

    private String withExtension(String text) {
        if (bundle.ofKind(Kinds.EXTENSION).stream().anyMatch(each -> each.name().equals(NEW_NAME)))
            throw Failure
                    .invalid("the bundle " + folder + " has an Extension '" + NEW_NAME + "' with another entry than "
                            + ENTRY + "; write one with another name, and choose it by --extension");
        List<String> document = new ArrayList<>(List.of("---"));
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", Kinds.GOONDAN_V1).put("kind",
                Kinds.EXTENSION);
        resource.putObject("metadata").put("name", NEW_NAME);
        resource.putObject("spec").put("entry", ENTRY).putObject("config").putObject("servers");
        for (String key : resource.propertyNames())
            document.addAll(YamlValue.entry(key, resource.get(key), 0));
        return (text.endsWith("\n") ? text : text + "\n") + String.join("\n", document) + "\n";
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw Failure.failed("the file " + folder.resolve(file) + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void write(String file, String text) {
        check(file, text);
        try {
            Path target = folder.resolve(file).toRealPath();
            Path beside = target.resolveSibling("." + target.getFileName() + ".new");
            try {
                Files.copy(target, beside, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.writeString(beside, text);
                Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (IOException e) {
            throw Failure.failed("the file " + folder.resolve(file) + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void check(String file, String text) {
        List<Resource> resources = YamlEdit.read(file, text);
        for (Resource resource : resources) {
            if (!resource.spec().path("entry").asString("").equals(ENTRY))
                continue;
            JsonNode config = resource.spec().path("config");
            try {
                ServerInspector.check(config instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode());
            } catch (IllegalArgumentException e) {
                throw Failure.invalid(resource.id() + ": " + e.getMessage());
            }
        }
        SequencedMap<String, String> texts = new LinkedHashMap<>();
        texts.put(file, read(file));
        long before = secrets(texts).size();
        texts.put(file, text);
        List<BundleProblem> now = secrets(texts);
        if (now.size() > before)
            throw Failure.invalid("nothing was written: " + ProblemText.of(now.getLast()));
    }

    private List<BundleProblem> secrets(SequencedMap<String, String> texts) {
        BundleReport report = BundleCheck.check(BundleLoader.parse(folder, texts));
        return report.problems().stream().filter(each -> each.code() == ProblemCode.E_CONFIG_LITERAL_SECRET).toList();
    }
}
