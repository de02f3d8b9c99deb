package dev.toolfleet.client.format;

/// Change that a format made to a catalog, for the person who reads it.
///
/// @param tool the tool's name in the catalog; empty when it concerns all of them
/// @param note one sentence or two
public record Note(String tool, String note) {}
