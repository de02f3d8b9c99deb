package dev.toolfleet.wire;

/// An earlier step and what its model saw.
///
/// @param turnId
///            the step's turn
/// @param stepId
///            the step
/// @param digest
///            names the content on `tool.catalog.content`
public record RecentStep(String turnId, String stepId, String digest) {}
