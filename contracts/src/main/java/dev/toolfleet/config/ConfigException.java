package dev.toolfleet.config;

/// A setting that cannot be used. The message names the key, the value that it had and what is accepted: one line,
/// meant to be printed as it is.
public final class ConfigException extends RuntimeException {
    /// Says what is wrong in words of its own.
    public ConfigException(String message) {
        super(message);
    }

    /// Says which key had which value, and what is accepted. Values of secret keys are masked.
    ///
    /// @param key the full key, such as `worker.maxInFlight`
    public ConfigException(String key, String value, String accepted) {
        super(key + " is '" + Secrets.masked(key, value) + "'; accepted: " + accepted);
    }
}
