package dev.toolfleet.loading;

/// Keys of log events; public API for whoever searches logs.
final class LogKeys {
    /// A Tool or an Extension whose code was loaded.
    static final String MODULE = "module";
    /// Why something happened.
    static final String REASON = "reason";

    private LogKeys() {}
}
