package dev.toolfleet.worker.egress;

/// Keys of log events about commands and their connections.
public final class CommandLogKeys {
    /// The reason of an event.
    public static final String REASON = "reason";
    /// A folder.
    public static final String FOLDER = "folder";
    /// Processes of a command, by number.
    public static final String PIDS = "pids";
    /// A host and port to which a command would connect.
    public static final String HOST = "host";

    private CommandLogKeys() {}
}
