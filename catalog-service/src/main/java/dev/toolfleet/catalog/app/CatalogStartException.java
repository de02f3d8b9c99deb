package dev.toolfleet.catalog.app;

/// Failure of the catalog service's start. The message is one line for a person: the problem and the way out.
public final class CatalogStartException extends RuntimeException {
    CatalogStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
