package dev.toolfleet.worker.registry;

/// The code behind an entry cannot be had; the message names entry, cause and
/// way out.
public final class ModuleLoadException extends RuntimeException {
    /// Says why.
    public ModuleLoadException(String message) {
        super(message);
    }

    /// Says why, with the cause.
    public ModuleLoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
