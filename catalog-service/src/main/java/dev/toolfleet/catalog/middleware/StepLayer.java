package dev.toolfleet.catalog.middleware;

import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;

/// One layer of a step's onion.
///
/// @param extension the extension that registered it, as bundle and name
/// @param priority ascending is outer
/// @param onFailure the rule for the list when it throws
record StepLayer(String extension, int priority, OnFailure onFailure, StepMiddleware middleware) {
    /// Makes a layer for a missing extension. The extension may exist to hide something, so this layer shows nothing.
    static StepLayer missing(String where, String why) {
        return new StepLayer(where, Integer.MIN_VALUE, OnFailure.CLOSE, (ctx, next) -> {
            throw new IllegalStateException("the extension is not loaded: " + why);
        });
    }
}
