package dev.toolfleet.catalog;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.OperatorDenial;
import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.OperatorSwitch;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.RegistrationPlan;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Bundles for tests, written revision by revision.
public final class Bundles {
    private final ResourceTable table = new ResourceTable();
    private final Consumer<List<RevisionPlan.Entry>> topic;

    /// Bundles that are written nowhere.
    public Bundles() {
        this(entries -> {});
    }

    /// @param topic takes the records of each revision
    public Bundles(Consumer<List<RevisionPlan.Entry>> topic) {
        this.topic = topic;
    }

    /// Makes a bundle consist of these resources.
    public Bundles apply(String bundle, ObjectNode... resources) {
        return apply(bundle, Map.of(), resources);
    }

    /// Makes a bundle consist of these resources, each with those files that its entry names.
    ///
    /// @param files digests by path in the bundle
    public Bundles apply(String bundle, Map<String, String> files, ObjectNode... resources) {
        List<RevisionPlan.Entry> entries = RevisionPlan.of(bundle,
                Stream.of(resources).map(resource -> new RevisionPlan.Declared(resource, named(files, resource)))
                        .toList(),
                table).entries();
        entries.forEach(entry -> table.apply(entry.key(), entry.value()));
        topic.accept(entries);
        return this;
    }

    private static Map<String, String> named(Map<String, String> files, ObjectNode resource) {
        String entry = resource.path("spec").path("entry").asString("");
        return files.entrySet().stream().filter(file -> entry.contains(file.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /// Sets an owner's registered tools, until the lease ends.
    public void register(RegistrationOwner owner, Instant now, Instant until, String... tools) {
        Map<String, ToolDeclaration> declared = Stream.of(tools).collect(Collectors.toMap(name -> name,
                name -> ToolDeclaration.of(name, "does " + name, Json.MAPPER.createObjectNode())));
        List<RevisionPlan.Entry> entries = RegistrationPlan.of(new RegistrationPlan.Lease(owner, now, until, "w1"),
                Optional.ofNullable(table.view().registrations().get(owner.namespace())), declared).entries();
        entries.forEach(entry -> table.apply(entry.key(), entry.value()));
        topic.accept(entries);
    }

    /// Switches tools off until then, as an operator does.
    public void deny(String pattern, Instant now, Instant until) {
        List<RevisionPlan.Entry> entries = OperatorSwitch
                .deny(OperatorDenial.of(pattern, "Odd.", "ada", now, until), table, now).entries();
        entries.forEach(entry -> table.apply(entry.key(), entry.value()));
        topic.accept(entries);
    }

    /// Returns the resources that readers see.
    public FleetResources view() {
        return table.view();
    }

    /// A Tool with an entry that workers run.
    public static ObjectNode tool(String name, String... exports) {
        ObjectNode tool = resource("Tool", name);
        ArrayNode list = tool.putObject("spec").put("entry", "java:com.acme.Some").putArray("exports");
        for (String export : exports)
            list.addObject().put("name", export).put("description", "does " + export);
        return tool;
    }

    /// An Agent that lists Tools, each as `Kind/name`.
    public static ObjectNode agent(String name, String... refs) {
        ObjectNode agent = resource("Agent", name);
        ArrayNode tools = agent.putObject("spec").putArray("tools");
        for (String ref : refs)
            tools.addObject().put("ref", ref);
        return agent;
    }

    /// The declaration of an export of a [#tool].
    public static ObjectNode export(ObjectNode tool, String name) {
        for (JsonNode export : tool.path("spec").path("exports")) {
            if (export.path("name").asString().equals(name))
                return (ObjectNode) export;
        }
        throw new IllegalArgumentException(name);
    }

    /// Puts the Tool's exports into a group.
    public static ObjectNode inGroup(String group, ObjectNode tool) {
        for (JsonNode export : tool.path("spec").path("exports"))
            ((ObjectNode) export).put("group", group);
        return tool;
    }

    /// A ToolGroup.
    public static ObjectNode group(String name, String includeInPromptWhen) {
        ObjectNode group = resource("ToolGroup", name).put("apiVersion", "toolfleet.dev/v1");
        group.putObject("spec").put("includeInPromptWhen", includeInPromptWhen);
        return group;
    }

    /// An Extension, with its entry and no configuration.
    public static ObjectNode extension(String name, String entry) {
        ObjectNode extension = resource("Extension", name);
        extension.putObject("spec").put("entry", entry).putObject("config");
        return extension;
    }

    /// Lets an agent list an Extension.
    public static ObjectNode using(ObjectNode agent, String extension, Consumer<ObjectNode> config) {
        ObjectNode use = agent.withObject("spec").withArray("extensions").addObject().put("ref",
                "Extension/" + extension);
        config.accept(use.putObject("config"));
        return agent;
    }

    /// A ToolPolicy of these rules, each as JSON.
    public static ObjectNode policy(String... rules) {
        ObjectNode policy = resource("ToolPolicy", "p");
        policy.putObject("spec").set("rules", Json.MAPPER.readTree("[" + String.join(",", rules) + "]"));
        return policy;
    }

    private static ObjectNode resource(String kind, String name) {
        ObjectNode resource = Json.MAPPER.createObjectNode().put("apiVersion", "goondan.ai/v1").put("kind", kind);
        resource.putObject("metadata").put("name", name);
        return resource;
    }
}
