package dev.toolfleet.catalog.telemetry;

/// Keys of log events; public API for log searches.
public final class CatalogLogKeys {
    /// An agent's name.
    public static final String AGENT = "agentName";
    /// A bundle.
    public static final String BUNDLE = "bundle";
    /// A bundle's revision.
    public static final String REVISION = "revision";
    /// An extension, as bundle and name, or the part of the service that acts like one.
    public static final String EXTENSION = "extension";
    /// Topic, partition and offset of a record.
    public static final String ORIGIN = "origin";
    /// A record's key on `tool.resource`.
    public static final String KEY = "key";
    /// The reason of an event.
    public static final String REASON = "reason";
    /// A count.
    public static final String COUNT = "count";
    /// Another service, as `host:port`.
    public static final String PEER = "peer";
    /// A status code of HTTP.
    public static final String STATUS = "status";
    /// The service's HTTP address.
    public static final String URL = "url";

    private CatalogLogKeys() {}
}
