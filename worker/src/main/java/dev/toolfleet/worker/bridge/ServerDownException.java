package dev.toolfleet.worker.bridge;

/// Thrown when a call finds no connection to its server. Nothing has happened.
final class ServerDownException extends Exception {
    ServerDownException(String server, String reason) {
        super("The MCP server '" + server + "' is not there: " + reason + ".");
    }
}
