package dev.toolfleet.resources;

import java.util.List;

import dev.toolfleet.bundle.AgentSpec;

/// Agent and the bundle that declares it.
///
/// @param revision of that bundle
/// @param alsoIn other bundles that declare an Agent of this name, and lose; empty when the name is unique
public record DeclaredAgent(String bundle, long revision, AgentSpec spec, List<String> alsoIn) {}
