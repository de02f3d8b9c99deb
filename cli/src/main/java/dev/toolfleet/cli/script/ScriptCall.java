package dev.toolfleet.cli.script;

import dev.toolfleet.wire.ToolCall;

/// One call of a script.
///
/// @param line where it stands, from 1
/// @param call with every default filled in
public record ScriptCall(int line, ToolCall call) {
    /// Lines are unique in a script; arguments may be large.
    @Override
    public int hashCode() {
        return line;
    }

    @Override
    public String toString() {
        return call.id() + " (line " + line + ", " + call.name() + ", instance " + call.instanceKey() + ")";
    }
}
