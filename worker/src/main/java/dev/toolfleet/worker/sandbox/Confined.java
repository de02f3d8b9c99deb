package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A program to start for one instance.
///
/// @param line the program and its arguments
/// @param cwd where it starts
/// @param workdir the instance's folder, all that it may write; absolute, without symbolic links
/// @param env its whole environment
public record Confined(List<String> line, Path cwd, Path workdir, Map<String, String> env) {}
