package dev.toolfleet.catalog.assemble;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCatalogItem;

/// The tools that one agent's steps show while the resources stay as they are.
///
/// @param bundle
///            the agent's bundle; empty when nobody declares the agent
/// @param revision
///            that bundle's; 0 when nobody declares the agent
/// @param content
///            the items as canonical JSON, what `tool.catalog.content` holds
/// @param digest
///            of the content's UTF-8 bytes, its key there
/// @param problems
///            what was left out and why, one sentence each; for the log
public record AgentCatalog(String bundle, long revision, List<ToolCatalogItem> items, String content, String digest,
        List<String> problems) {
    /// What key, headers and framing of the content's record may take.
    private static final int FRAMING_BYTES = 2048;
    /// A larger content does not fit into its topic.
    static final int MAX_CONTENT_BYTES = Topic.CATALOG_CONTENT.maxRecordBytes() - FRAMING_BYTES;

    /// Copies the lists.
    public AgentCatalog {
        items = List.copyOf(items);
        problems = List.copyOf(problems);
    }

    /// A catalog without tools: what an agent gets that nobody declares, so that
    /// its calls are refused at once instead of waiting.
    static AgentCatalog empty(String bundle, long revision, List<String> problems) {
        return of(bundle, revision, List.of(), problems);
    }

    static AgentCatalog of(String bundle, long revision, List<ToolCatalogItem> items, List<String> problems) {
        String content = CanonicalJson.of(Json.MAPPER.valueToTree(items));
        return new AgentCatalog(bundle, revision, items, content, Digests.sha256(content), problems);
    }

    /// The content's bytes.
    public byte[] contentBytes() {
        return content.getBytes(StandardCharsets.UTF_8);
    }
}
