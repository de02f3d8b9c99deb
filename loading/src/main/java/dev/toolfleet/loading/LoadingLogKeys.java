package dev.toolfleet.loading;

/// Keys of log events; public API for log searches.
final class LoadingLogKeys {
    /// The name of a loaded Tool or Extension.
    static final String MODULE = "module";
    /// The reason of an event.
    static final String REASON = "reason";

    private LoadingLogKeys() {}
}
