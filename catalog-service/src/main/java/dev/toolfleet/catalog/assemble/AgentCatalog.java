package dev.toolfleet.catalog.assemble;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// What one step of an agent shows.
///
/// @param bundle the agent's bundle; empty when nobody declares the agent
/// @param revision that bundle's; 0 when nobody declares the agent
/// @param revisions of the other bundles whose Tools the agent lists
/// @param content the tools
/// @param policyDigest the policy that took part; null when none did
public record AgentCatalog(String bundle, long revision, Map<String, Long> revisions, CatalogContent content,
        @Nullable String policyDigest) {
    /// Names the content.
    public String digest() {
        return content.digest();
    }
}
