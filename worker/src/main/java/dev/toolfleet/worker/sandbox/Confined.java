package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// A program to start for one instance.
///
/// @param line the program and its arguments
/// @param cwd where it starts
/// @param workdir the instance's folder, all that it may write; absolute, without symbolic links
/// @param env its whole environment
/// @param identity `device:inode` of the workdir, the device in hexadecimal digits, when somebody else might put another
///        folder in its place: behind walls the program starts only if it got this one. Null: nobody could
public record Confined(List<String> line, Path cwd, Path workdir, Map<String, String> env,
        @Nullable String identity) {
    /// A program in a folder that only the worker could replace.
    public Confined(List<String> line, Path cwd, Path workdir, Map<String, String> env) {
        this(line, cwd, workdir, env, null);
    }
}
