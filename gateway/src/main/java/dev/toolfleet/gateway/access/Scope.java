package dev.toolfleet.gateway.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Right of a principal.
public enum Scope {
    /// Announces steps and reads their catalogs.
    TOOLS_LIST,
    /// Calls tools, reads and cancels calls.
    TOOLS_CALL,
    /// Reads the messages of sessions, and their states.
    SESSIONS_READ,
    /// Decides about calls that wait for a person.
    APPROVALS_DECIDE,
    /// Reports progress and end of work behind handles.
    HANDLES_COMPLETE,
    /// Reads the fleet: metrics, errors, dead letters, declarations, open approvals.
    FLEET_READ,
    /// Changes how the fleet runs, at the console: skips stuck calls, sends dead letters again or settles them, switches
    /// tools off and on.
    FLEET_OPERATE;

    /// Returns its text in settings and answers, such as `tools:call`.
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ':');
    }

    /// Reads a text of a setting.
    static Optional<Scope> of(String text) {
        return Arrays.stream(values()).filter(scope -> scope.text().equals(text)).findFirst();
    }

    /// The texts of all scopes, for messages.
    static String all() {
        return Arrays.stream(values()).map(Scope::text).collect(Collectors.joining(", "));
    }
}
