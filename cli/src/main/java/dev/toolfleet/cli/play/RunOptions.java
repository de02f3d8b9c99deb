package dev.toolfleet.cli.play;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Options of `toolfleet run`.
///
/// @param bundle the bundle's folder
/// @param calls the script; empty for standard input
/// @param results where results go; empty for standard output
/// @param agent author of calls that name no agent
/// @param workspace root of the instances' folders; empty for one that goes away
/// @param timeout for the whole script
/// @param port of the broker; 0 picks a free one
/// @param settings of `worker` and `catalog`
public record RunOptions(Path bundle, Optional<Path> calls, Optional<Path> results, Optional<String> agent,
        Optional<Path> workspace, Duration timeout, int port, Map<String, String> settings) {}
