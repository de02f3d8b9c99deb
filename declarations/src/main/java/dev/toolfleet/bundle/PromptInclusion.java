package dev.toolfleet.bundle;

/// Rule for showing a group's tools to models.
public enum PromptInclusion {
    /// In every catalog.
    ALWAYS,
    /// Only after a search selected the tool.
    ON_DEMAND,
    /// In no catalog, so that no model can call it.
    NEVER
}
