package dev.toolfleet.hosts;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Command that starts a host.
///
/// @param label the host in logs and messages, such as `acme (node)`
/// @param line the program and its arguments
/// @param folder where it starts
/// @param env its whole environment
/// @param network true if it may use the worker's network
/// @param remedy the advice if the program is missing, such as "install Node 20 or later"
record HostLaunch(String label, List<String> line, Path folder, Map<String, String> env, boolean network,
        String remedy) {
    /// Moves the pipes of the worker to descriptors 3 and 4, so that prints of handlers reach the log only.
    private static final String DESCRIPTORS = "exec 3<&0 4>&1 0</dev/null 1>&2; exec \"$@\"";

    /// Status by which a shell reports that there is no such program.
    private static final String NO_PROGRAM = "status 127";

    /// Returns the advice that belongs to a reason for the end, as a clause; empty for none.
    String remedy(String reason) {
        return reason.contains(NO_PROGRAM) ? ": " + remedy : "";
    }

    /// Returns the command line with the protocol on descriptors 3 and 4.
    List<String> whole() {
        List<String> whole = new java.util.ArrayList<>(List.of("/bin/sh", "-c", DESCRIPTORS, "sh"));
        whole.addAll(line);
        return whole;
    }
}
