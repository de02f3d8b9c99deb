package dev.toolfleet.worker.catalog;

import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.CatalogTool;
import org.jspecify.annotations.Nullable;

/// Verdict whether a call's tool is in its catalog.
public sealed interface CatalogVerdict {
    /// The tool is in the catalog.
    ///
    /// @param digest of the content that the model saw; absent when no step catalog decided
    /// @param policyDigest of the policy under which the catalog was made
    record Offered(CatalogTool tool, @Nullable String digest,
            @Nullable String policyDigest) implements CatalogVerdict {}

    /// The tool is not in the catalog, or cannot be run as the catalog shows it.
    ///
    /// @param digest of the content that decided; absent when none did
    /// @param policyDigest of the policy under which that catalog was made
    record Refused(ToolError error, @Nullable String digest,
            @Nullable String policyDigest) implements CatalogVerdict {}
}
