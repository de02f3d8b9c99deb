package dev.toolfleet.gateway.webhook;

/// Keys of log events; public API for log searches.
final class WebhookLogKeys {
    /// A call, by its id.
    static final String CALL = "call";
    /// The receiver of results, as `host:port`.
    static final String RECEIVER = "receiver";
    /// The reason of an event.
    static final String REASON = "reason";

    private WebhookLogKeys() {}
}
