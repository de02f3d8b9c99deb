package dev.toolfleet.bundle;

/// Failure to read a resource's JSON as a typed view. The message names the resource and the field.
///
/// A validated bundle never causes it; a resource from a topic may.
public final class InvalidResourceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /// @param message names the resource and the field
    public InvalidResourceException(String message) {
        super(message);
    }
}
