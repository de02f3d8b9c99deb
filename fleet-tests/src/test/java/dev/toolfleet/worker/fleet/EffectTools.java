package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import tools.jackson.databind.node.ObjectNode;

/// A tool that must not run twice, in whatever process: it notes each start and end in a file of its process, in the
/// folder that the call names. A kill takes away nothing that was written, so nothing has to be synced.
public final class EffectTools implements ToolModule {

    /// Effect that was noted.
    ///
    /// @param call its id
    /// @param process that ran it
    /// @param started in epoch milliseconds
    /// @param done whether the handler came to its end
    record Effect(String call, long process, long started, boolean done) {}

    private static final String STARTED = "started ";
    private static final String DONE = "done ";

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("append", EffectTools::append, "halt", EffectTools::halt);
    }

    /// As an error of native code would.
    private static ToolOutput halt(ToolContext ctx, ObjectNode input) throws IOException {
        note(Path.of(input.path("folder").asString()), STARTED + ctx.toolCallId() + " " + System.currentTimeMillis());
        Runtime.getRuntime().halt(134);
        return ToolOutput.of("never");
    }

    private static ToolOutput append(ToolContext ctx, ObjectNode input) throws IOException, InterruptedException {
        Path folder = Path.of(input.path("folder").asString());
        note(folder, STARTED + ctx.toolCallId() + " " + System.currentTimeMillis());
        Thread.sleep(input.path("ms").asInt());
        note(folder, DONE + ctx.toolCallId());
        return ToolOutput.of(Map.of("id", ctx.toolCallId()));
    }

    /// One write, appended at once.
    private static void note(Path folder, String line) throws IOException {
        Files.writeString(folder.resolve(ProcessHandle.current().pid() + ".effects"), line + "\n",
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /// One effect for each start, of all processes.
    static List<Effect> effects(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".effects")).toList();
        }
        List<Effect> effects = new ArrayList<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            effects.addAll(of(Long.parseLong(name.substring(0, name.indexOf('.'))), Files.readAllLines(file)));
        }
        return effects;
    }

    private static List<Effect> of(long process, List<String> lines) {
        Set<String> all = Set.copyOf(lines);
        return lines.stream().filter(line -> line.startsWith(STARTED)).map(line -> line.split(" ", -1))
                .map(words -> new Effect(words[1], process, Long.parseLong(words[2]), all.contains(DONE + words[1])))
                .toList();
    }
}
