package dev.toolfleet.worker.catalog;

import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.registry.CatalogTool;
import org.jspecify.annotations.Nullable;

/// Whether a call's tool is in its catalog.
public sealed interface CatalogVerdict {
    /// It is.
    ///
    /// @param digest of the content that the model saw; absent when no step catalog decided
    /// @param policyDigest of the policy under which the catalog was made
    record Offered(CatalogTool tool, @Nullable String digest,
            @Nullable String policyDigest) implements CatalogVerdict {}

    /// It is not, or cannot be run as it is there.
    ///
    /// @param digest of the content that decided; absent when none did
    /// @param policyDigest of the policy under which that catalog was made
    record Refused(ToolError error, @Nullable String digest,
            @Nullable String policyDigest) implements CatalogVerdict {}
}
