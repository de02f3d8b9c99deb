package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Program to start for one instance.
///
/// @param line the program and its arguments
/// @param cwd where it starts
/// @param workdir the instance's folder, all that it may write; absolute, without symbolic links
/// @param env its whole environment; each name must be a [variable's][#isVariable]
/// @param identity `device:inode` of the workdir, the device in hexadecimal digits, if another process might put
/// another folder in its place: behind walls the program starts only if it got this one. Null if no other process can
public record ConfinedProgram(List<String> line, Path cwd, Path workdir, Map<String, String> env,
        @Nullable String identity) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Checks the names of the variables.
    public ConfinedProgram {
        for (String name : env.keySet())
            if (!isVariable(name))
                throw new IllegalArgumentException("'" + name + "' is not the name of a variable");
    }

    /// True if shells pass on a variable of this name.
    public static boolean isVariable(String name) {
        return VARIABLE.matcher(name).matches();
    }

    /// A program in a folder that only the worker could replace.
    public ConfinedProgram(List<String> line, Path cwd, Path workdir, Map<String, String> env) {
        this(line, cwd, workdir, env, null);
    }
}
