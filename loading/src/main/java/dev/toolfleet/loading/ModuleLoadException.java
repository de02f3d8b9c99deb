package dev.toolfleet.loading;

/// The code behind an entry cannot be had; the message names entry, cause and way out.
public final class ModuleLoadException extends RuntimeException {
    /// Says why.
    public ModuleLoadException(String message) {
        super(message);
    }

    /// What is said of something that the making of a module threw.
    public static String reason(Throwable failure) {
        return failure instanceof ModuleLoadException known ? String.valueOf(known.getMessage()) : failure.toString();
    }

    /// Says why, with the cause.
    public ModuleLoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
