package dev.toolfleet.bundle;

/// A resource's JSON cannot be read as the typed view that was asked for. The message names the resource and the field.
///
/// A validated bundle never causes it; a resource that was read from a topic may.
public final class InvalidResourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /// @param message names the resource and the field
    public InvalidResourceException(String message) {
        super(message);
    }
}
