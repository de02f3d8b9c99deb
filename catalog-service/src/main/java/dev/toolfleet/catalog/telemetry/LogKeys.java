package dev.toolfleet.catalog.telemetry;

/// Keys of log events; public API for whoever searches logs.
public final class LogKeys {
    /// An agent's name.
    public static final String AGENT = "agentName";
    /// A bundle.
    public static final String BUNDLE = "bundle";
    /// A bundle's revision.
    public static final String REVISION = "revision";
    /// An extension, as bundle and name, or the part of the service that does what extensions do.
    public static final String EXTENSION = "extension";
    /// Topic, partition and offset of a record.
    public static final String ORIGIN = "origin";
    /// A record's key on `tool.resource`.
    public static final String KEY = "key";
    /// Why something happened.
    public static final String REASON = "reason";
    /// How many.
    public static final String COUNT = "count";
    /// Another service, as `host:port`.
    public static final String PEER = "peer";
    /// A status code of HTTP.
    public static final String STATUS = "status";
    /// Where the service answers over HTTP.
    public static final String URL = "url";

    private LogKeys() {}
}
