package dev.toolfleet.catalog.app;

/// The catalog service did not start. The message is one line for a person: what is wrong, and the way out.
public final class CatalogStartException extends RuntimeException {
    CatalogStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
