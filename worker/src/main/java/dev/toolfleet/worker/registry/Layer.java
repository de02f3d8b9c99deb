package dev.toolfleet.worker.registry;

import dev.toolfleet.middleware.ToolCallMiddleware;

/// One layer of an onion.
///
/// @param extension who registered it
/// @param priority ascending is outer
/// @param middleware what runs
public record Layer(String extension, int priority, ToolCallMiddleware middleware) {}
