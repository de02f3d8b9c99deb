package dev.toolfleet.config;

/// Setting as it was read.
///
/// @param key the full key
/// @param value the value, unmasked
/// @param origin its source: the file, an environment variable, a flag, or `default`
public record Effective(String key, String value, String origin) {
    /// The origin of default values.
    public static final String DEFAULT = "default";

    /// Returns the value in a form without secrets.
    public String shown() {
        return Secrets.masked(key, value);
    }

    @Override
    public String toString() {
        return key + "=" + shown() + " (" + origin + ")";
    }
}
