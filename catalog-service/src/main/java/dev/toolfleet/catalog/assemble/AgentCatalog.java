package dev.toolfleet.catalog.assemble;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCatalogItem;

/// The catalog that one agent's steps show while the resources stay as they are.
///
/// An agent that nobody declares has an empty one, so that its calls are refused at once instead of waiting.
///
/// @param bundle the agent's bundle; empty when nobody declares the agent
/// @param revision that bundle's; 0 when nobody declares the agent
/// @param content the items as canonical JSON, what `tool.catalog.content` holds
/// @param digest of the content's UTF-8 bytes, its key there
/// @param problems what was left out and why, one sentence each; for the log
public record AgentCatalog(String bundle, long revision, String content, String digest, List<String> problems) {
    /// What key, headers and framing of the content's record may take.
    private static final int FRAMING_BYTES = 2048;
    /// A larger content does not fit into its topic.
    static final int MAX_CONTENT_BYTES = Topic.CATALOG_CONTENT.maxRecordBytes() - FRAMING_BYTES;

    /// Copies the problems.
    public AgentCatalog {
        problems = List.copyOf(problems);
    }

    /// The catalog of the agent of that name.
    public static AgentCatalog of(FleetResources resources, String agentName) {
        AgentTools tools = AgentTools.of(resources, agentName);
        AgentCatalog catalog = of(tools, tools.items(), tools.problems());
        int bytes = catalog.contentBytes().length;
        if (bytes <= MAX_CONTENT_BYTES)
            return catalog;
        List<String> problems = new ArrayList<>(tools.problems());
        problems.add("the catalog has " + bytes + " bytes and may have " + MAX_CONTENT_BYTES
                + ", so it is empty; list fewer tools or shorten their schemas");
        return of(tools, List.of(), problems);
    }

    /// The content's bytes.
    public byte[] contentBytes() {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    private static AgentCatalog of(AgentTools tools, List<ToolCatalogItem> items, List<String> problems) {
        String content = CanonicalJson.of(Json.MAPPER.valueToTree(items));
        return new AgentCatalog(tools.bundle(), tools.revision(), content, Digests.sha256(content), problems);
    }
}
