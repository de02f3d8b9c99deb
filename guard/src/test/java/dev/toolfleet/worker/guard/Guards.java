package dev.toolfleet.worker.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.guard.ResultGuard.GuardedCall;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A fleet with the Tools `disk` and `web` (which is `openWorld`), called by the agent `coder`, and its guard.
final class Guards {
    static final String TOKEN = "Zq7+hunter/2\"99";

    private final GuardBundles bundles = new GuardBundles();
    private final ResourceTable table = new ResourceTable();
    private final FleetGuard guard;

    Guards(String... specs) {
        this(1 << 20, specs);
    }

    /// @param specs of ResultGuards, in JSON
    Guards(long maxBytes, String... specs) {
        declare("acme", specs);
        guard = new FleetGuard(table::view, new FleetSecrets(Map.of("sasl.jaas.config",
                "Module required username=\"u\" password=\"kafka-Pass-1\";"),
                Map.of("BUILD_TOKEN", TOKEN, "SHORT_TOKEN", "abc", "CLIENT", "the-referenced-value")), maxBytes);
    }

    /// Makes these the bundle's next revision, with its Tools if it is `acme`.
    void declare(String bundle, String... specs) {
        List<ObjectNode> resources = new ArrayList<>();
        if (bundle.equals("acme")) {
            ObjectNode web = GuardBundles.tool("web", "get");
            ((ObjectNode) web.at("/spec/exports/0")).putObject("annotations").put("openWorld", true);
            resources.addAll(List.of(GuardBundles.tool("disk", "read"), web,
                    GuardBundles.agent("coder", "Tool/disk", "Tool/web")));
        }
        for (int i = 0; i < specs.length; i++) {
            ObjectNode resource = GuardBundles.resource("ResultGuard", "g" + i);
            resource.set("spec", Json.MAPPER.readTree(specs[i]));
            resources.add(resource);
        }
        bundles.plan(bundle, resources.toArray(ObjectNode[]::new))
                .forEach(entry -> table.apply(entry.key(), entry.value()));
    }

    FleetResources resources() {
        return table.view();
    }

    Guarded guard(String tool, ToolReply reply) {
        return guard.guard(new GuardedCall(tool, "coder", null), reply);
    }

    Guarded guard(ToolReply reply) {
        return guard("disk__read", reply);
    }

    /// Returns the question to a person about a call with these arguments.
    Guarded question(JsonNode arguments) {
        return guard.guard(new GuardedCall("web__get", "coder", null, true),
                new ToolReply.Pending("h", arguments, null, null));
    }

    /// Returns the guarded output.
    JsonNode output(String tool, JsonNode output) {
        return ((ToolReply.Ok) guard(tool, new ToolReply.Ok(output)).reply()).output();
    }

    String text(String text) {
        return output("disk__read", Json.MAPPER.valueToTree(text)).stringValue();
    }

    String web(String text) {
        return output("web__get", Json.MAPPER.valueToTree(text)).stringValue();
    }

    JsonNode json(String json) {
        return output("disk__read", Json.MAPPER.readTree(json));
    }

    String error(String message) {
        return ((ToolReply.Failed) guard(new ToolReply.Failed(new ToolError("E_X", null, message, null, null)))
                .reply()).error().message();
    }
}
