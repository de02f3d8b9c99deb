package dev.toolfleet.worker.catalog;

/// What decides whether a call's tool may be called.
public enum CatalogMode {
    /// The catalog that the catalog service published for the call's step.
    STEP,
    /// What `Agent.spec.tools` lists, whatever was published.
    AGENT,
    /// Anything that is registered. For tests and trusted callers only.
    REGISTRY
}
