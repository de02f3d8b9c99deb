package dev.toolfleet.worker.tools.bash;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What to run and how long.
///
/// @param line program and arguments
/// @param env the whole environment
/// @param timeout when to end it; always before the call's deadline
/// @param maxOutputBytes how much of stdout, and of stderr, to keep, in bytes of JSON
record Command(List<String> line, Path cwd, Map<String, String> env, Duration timeout, int maxOutputBytes) {}
