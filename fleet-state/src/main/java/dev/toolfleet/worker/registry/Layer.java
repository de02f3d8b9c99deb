package dev.toolfleet.worker.registry;

import dev.toolfleet.middleware.ToolCallMiddleware;

/// One layer of an onion.
///
/// @param extension the extension that registered it
/// @param priority ascending is outer
/// @param middleware the code that runs
public record Layer(String extension, int priority, ToolCallMiddleware middleware) {}
