package dev.toolfleet.loading;

/// Failure to load the code of an entry; the message names the entry, the cause and the way out.
public final class ModuleLoadException extends RuntimeException {
    /// Makes a failure with its reason.
    public ModuleLoadException(String message) {
        super(message);
    }

    /// Returns the text about a failure during the making of a module. Throws nothing, even if the failure's own code
    /// does.
    public static String reason(Throwable failure) {
        if (failure instanceof ModuleLoadException known)
            return String.valueOf(known.getMessage());
        try {
            return String.valueOf(failure.toString());
        } catch (Throwable e) {
            return failure.getClass().getName();
        }
    }

    /// Makes a failure with its reason and cause.
    public ModuleLoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
