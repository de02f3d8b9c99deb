package dev.toolfleet.bundle;

/// Whether a model is told of a group's tools without asking.
public enum PromptInclusion {
    /// In every catalog.
    ALWAYS,
    /// Only when a search selected the tool.
    ON_DEMAND,
    /// In nobody's catalog, so that no model can call it.
    NEVER
}
