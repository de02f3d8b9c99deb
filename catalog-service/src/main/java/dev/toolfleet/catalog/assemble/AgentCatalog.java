package dev.toolfleet.catalog.assemble;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Catalog of one step of an agent.
///
/// @param bundle the agent's bundle; empty when no bundle declares the agent
/// @param revision of that bundle; 0 when no bundle declares the agent
/// @param revisions of the other bundles whose Tools the agent lists
/// @param content the tools
/// @param policyDigest the policy in effect; null for none
public record AgentCatalog(String bundle, long revision, Map<String, Long> revisions, CatalogContent content,
        @Nullable String policyDigest) {
    /// Returns the digest that names the content.
    public String digest() {
        return content.digest();
    }
}
