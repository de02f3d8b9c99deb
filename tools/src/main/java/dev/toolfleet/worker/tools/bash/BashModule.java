package dev.toolfleet.worker.tools.bash;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Operand;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.sandbox.ConfinedProgram;
import dev.toolfleet.worker.sandbox.Sandbox;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.FileErrors;
import dev.toolfleet.worker.tools.args.ToolConfig;
import dev.toolfleet.worker.tools.args.WorkPaths;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `bash` with the exports `exec` and `script`.
///
/// **Contract.** Parameters and results are Goondan's. A command that fails is a result with its exit code, not an
/// error. When a call ends, for any reason, every process that it started is dead; without walls, every one that does
/// not hide. Commands see few of the worker's variables. In a sandbox with walls they reach their workdir and nothing
/// else of the worker's. Without walls, they may do anything that the worker's user may do.
public final class BashModule implements ToolModule {
    private static final long DEFAULT_TIMEOUT_MS = 30_000;
    /// Time kept free before the deadline: a command dies and its output is read within it.
    private static final Duration MARGIN = Duration.ofMillis(3500);
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final String SUGGEST_SHELL = "Use '/bin/sh' or another shell or interpreter that is installed.";

    private final InstantSource clock;
    private final Map<String, String> workerEnv;
    private final Sandbox sandbox;
    private final Path workspace;
    private final Shell shell;
    private volatile BashConfig config = BashConfig.DEFAULT;

    /// A module of this process, with its clock and environment.
    ///
    /// @param sandbox where commands run; stays open when the module is closed
    /// @param workspace the root of the instances' folders
    public BashModule(Sandbox sandbox, Path workspace) {
        this(sandbox, workspace, InstantSource.system(), System.getenv());
    }

    BashModule(Sandbox sandbox, Path workspace, InstantSource clock, Map<String, String> workerEnv) {
        this.sandbox = sandbox;
        this.workspace = workspace;
        this.shell = new Shell(sandbox);
        this.clock = clock;
        this.workerEnv = workerEnv;
    }

    @Override
    public void configure(ObjectNode json) {
        config = BashConfig.of(json);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("exec", this::exec, "script", this::script);
    }

    private ToolOutput exec(ToolContext ctx, ObjectNode input) throws InterruptedException {
        Arguments args = new Arguments(input);
        String command = args.requiredText("command");
        String given = args.text("cwd", ".");
        WorkPaths paths = paths(ctx);
        Path cwd = paths.resolve(given);
        if (!Files.isDirectory(cwd))
            throw FileErrors.of(Files.exists(cwd) ? "ENOTDIR" : "ENOENT", given);
        ObjectNode result = Json.MAPPER.createObjectNode().put("command", command).put("cwd", cwd.toString());
        return ToolOutput.of(run(ctx, args, List.of("/bin/sh", "-lc", command), cwd, paths).addTo(result));
    }

    private ToolOutput script(ToolContext ctx, ObjectNode input) throws InterruptedException {
        Arguments args = new Arguments(input);
        String given = args.requiredText("path");
        List<String> parameters = args.texts("args");
        String interpreter = args.text("shell", "/bin/bash");
        WorkPaths paths = paths(ctx);
        Path path = ScriptFile.resolve(paths, given);
        List<String> line = new ArrayList<>(List.of(interpreter, path.toString()));
        line.addAll(parameters);
        requireInstalled(interpreter, paths.root(), env(args));
        ObjectNode result = Json.MAPPER.createObjectNode().put("path", path.toString()).put("shell", interpreter);
        ArrayNode shown = result.putArray("args");
        parameters.forEach(shown::add);
        return ToolOutput.of(run(ctx, args, line, paths.root(), paths).addTo(result));
    }

    /// Returns the script that a call runs. Files that the script reads by itself do not count, nor files that a
    /// command of `exec` reads.
    @Override
    public List<Operand> operands(String export, ToolContext ctx, ObjectNode input) throws IOException {
        if (!export.equals("script"))
            return List.of();
        String given = new Arguments(input).requiredText("path");
        return List.of(Operand.of(given, ScriptFile.read(paths(ctx), given)));
    }

    private CommandEnd run(ToolContext ctx, Arguments args, List<String> line, Path cwd, WorkPaths paths)
            throws InterruptedException {
        Duration timeout = timeout(args.number("timeoutMs", DEFAULT_TIMEOUT_MS),
                Duration.between(clock.instant(), ctx.deadline()));
        return shell.run(new Command(new ConfinedProgram(line, cwd, paths.root(), env(args), paths.identity()), timeout,
                config.maxOutputBytes()));
    }

    private Map<String, String> env(Arguments args) {
        return CommandEnv.of(workerEnv, sandbox.hasWalls(), config.inheritEnv(), args.scalars("env"));
    }

    private WorkPaths paths(ToolContext ctx) {
        // Behind walls there is no outside.
        return WorkPaths.of(ctx.workdir(), workspace, config.allowOutsideWorkdir() && !sandbox.hasWalls());
    }

    /// The call's own timeout, none when it is not positive, and in any case short enough that the output still reaches
    /// the caller before the deadline.
    static Duration timeout(long timeoutMs, Duration untilDeadline) {
        Duration quarter = untilDeadline.dividedBy(4);
        Duration margin = quarter.compareTo(MARGIN) < 0 ? quarter : MARGIN;
        Duration longest = untilDeadline.minus(margin);
        if (longest.isNegative())
            return Duration.ZERO;
        return timeoutMs > 0 && Duration.ofMillis(timeoutMs).compareTo(longest) < 0
                ? Duration.ofMillis(timeoutMs)
                : longest;
    }

    /// Refuses an interpreter that is not installed. Otherwise: the wrapper that starts it would report only an exit
    /// code.
    private void requireInstalled(String interpreter, Path cwd, Map<String, String> env) {
        if (interpreter.isEmpty() || interpreter.indexOf('\0') >= 0)
            throw Arguments.invalid("'shell' must be a non-empty string");
        boolean found = interpreter.contains("/")
                ? isProgram(cwd.resolve(interpreter), cwd)
                : Stream.of(env.getOrDefault("PATH", PATH).split(File.pathSeparator, -1))
                        .anyMatch(folder -> isProgram(cwd.resolve(folder).resolve(interpreter), cwd));
        if (!found)
            throw new ToolException("ENOENT", "no such shell: '" + interpreter + "'").suggestion(SUGGEST_SHELL);
    }

    private boolean isProgram(Path file, Path workdir) {
        try {
            return Files.isRegularFile(file) && Files.isExecutable(file) && sandbox.sees(file.toRealPath(), workdir);
        } catch (IOException e) {
            return false; // Gone meanwhile.
        }
    }

    /// Settings of the tool, from its `spec.config`.
    ///
    /// @param maxOutputBytes how many bytes stdout, and stderr, take at most in a result, as JSON: two full ones fit it
    /// @param allowOutsideWorkdir whether `cwd` and `path` may lie outside the workdir
    /// @param inheritEnv variables of the worker that commands see beside the usual ones
    record BashConfig(int maxOutputBytes, boolean allowOutsideWorkdir, Set<String> inheritEnv) {
        static final BashConfig DEFAULT = new BashConfig(1_000_000, false, Set.of());

        static BashConfig of(ObjectNode json) {
            ToolConfig config = new ToolConfig("bash", json,
                    Set.of("maxOutputBytes", "allowOutsideWorkdir", "inheritEnv"));
            return new BashConfig(config.positive("maxOutputBytes", DEFAULT.maxOutputBytes),
                    config.flag("allowOutsideWorkdir"), Set.copyOf(config.texts("inheritEnv")));
        }
    }
}
