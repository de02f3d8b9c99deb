package dev.toolfleet.worker.catalog;

/// Source that decides whether a call's tool may be called.
public enum CatalogMode {
    /// The catalog that the catalog service published for the call's step.
    STEP,
    /// The list in `Agent.spec.tools`, whatever was published.
    AGENT,
    /// Anything that is registered. For tests and trusted callers only.
    REGISTRY
}
