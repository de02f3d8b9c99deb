package dev.toolfleet.worker.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/// Program to start, for one instance or for all.
///
/// @param line the program and its arguments
/// @param cwd where it starts
/// @param workdir the instance's folder, all that it may write; absolute, without symbolic links
/// @param env its whole environment; each name must be a [variable's][#isVariable]
/// @param identity `device:inode` of the workdir, the device in hexadecimal digits, if another process might put
/// another folder in its place: behind walls the program starts only if it got this one. Null if no other process can
/// @param reach the things behind walls that it may use beside its folder and the system
public record ConfinedProgram(List<String> line, Path cwd, Path workdir, Map<String, String> env,
        @Nullable String identity, Reach reach) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Reach of a program behind walls.
    ///
    /// @param readable files and folders that it sees, read-only, beside those of the configuration
    /// @param network true for the worker's network; false for what the configuration gives to commands
    /// @param bounded false if its address space has no limit: for runtimes that limit their memory themselves, and
    ///        reserve more than they use
    public record Reach(List<Path> readable, boolean network, boolean bounded) {
        /// The reach of commands of models.
        public static final Reach COMMAND = new Reach(List.of(), false, true);

        /// Copies the list.
        public Reach {
            readable = List.copyOf(readable);
        }
    }

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

    /// A command of a model.
    public ConfinedProgram(List<String> line, Path cwd, Path workdir, Map<String, String> env,
            @Nullable String identity) {
        this(line, cwd, workdir, env, identity, Reach.COMMAND);
    }
}
