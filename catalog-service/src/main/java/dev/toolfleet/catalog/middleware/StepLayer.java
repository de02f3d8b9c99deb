package dev.toolfleet.catalog.middleware;

import dev.toolfleet.middleware.StepMiddleware;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;

/// One layer of a step's onion.
///
/// @param extension who registered it, as bundle and name
/// @param priority ascending is outer
/// @param onFailure what becomes of the list when it throws
record StepLayer(String extension, int priority, OnFailure onFailure, StepMiddleware middleware) {
    /// Stands in for an extension that is not there: it may be there to hide something, so nothing is shown.
    static StepLayer missing(String where, String why) {
        return new StepLayer(where, Integer.MIN_VALUE, OnFailure.CLOSE, (ctx, next) -> {
            throw new IllegalStateException("the extension is not loaded: " + why);
        });
    }
}
