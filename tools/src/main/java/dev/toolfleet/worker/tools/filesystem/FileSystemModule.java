package dev.toolfleet.worker.tools.filesystem;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.FileErrors;
import dev.toolfleet.worker.tools.args.JsonText;
import dev.toolfleet.worker.tools.args.ToolConfig;
import dev.toolfleet.worker.tools.args.WorkPaths;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `file-system` with the exports `read`, `write`, `list` and `mkdir`. Parameters and results are
/// Goondan's; paths stay inside the workdir, links resolved, unless `allowOutsideWorkdir` is configured.
public final class FileSystemModule implements ToolModule {
    private static final long DEFAULT_MAX_BYTES = 100_000;

    private final Path workspace;
    private volatile FileSystemConfig config = FileSystemConfig.DEFAULT;

    /// @param workspace the root of the instances' folders
    public FileSystemModule(Path workspace) {
        this.workspace = workspace;
    }

    @Override
    public void configure(ObjectNode json) {
        config = FileSystemConfig.of(json);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("read", at(null, this::read), "write", at(null, this::write), "list", at(".", this::list),
                "mkdir", at(null, this::mkdir));
    }

    private ObjectNode read(Place place, Arguments args) throws IOException {
        long maxBytes = args.number("maxBytes", DEFAULT_MAX_BYTES);
        if (maxBytes < 1)
            throw Arguments.invalid("'maxBytes' must be greater than 0");
        TextFile.Content content = place.file().read((int) Math.min(maxBytes, config.maxReadBytes()));
        String text = JsonText.cut(content.text(), config.maxReadBytes());
        boolean truncated = content.truncated() || text.length() < content.text().length();
        return place.result().put("size", content.size()).put("truncated", truncated).put("content", text);
    }

    private ObjectNode write(Place place, Arguments args) throws IOException {
        boolean append = args.flag("append", false);
        long size = place.file().write(args.text("content"), append);
        return place.result().put("size", size).put("written", true).put("append", append);
    }

    private ObjectNode list(Place place, Arguments args) throws IOException, InterruptedException {
        boolean recursive = args.flag("recursive", false);
        Listing listing = new Listing(place.paths(), recursive, args.flag("includeDirs", true),
                args.flag("includeFiles", true),
                config.maxEntries());
        if (Files.exists(place.path()) && !Files.isDirectory(place.path()))
            throw new NotDirectoryException(place.given());
        List<Listing.Entry> entries = listing.of(place.path());
        ObjectNode result = place.result().put("recursive", recursive).put("count", entries.size());
        ArrayNode shown = result.putArray("entries");
        entries.forEach(entry -> shown.add(entry.json()));
        if (listing.truncated())
            result.put("truncated", true);
        if (listing.unreadable() > 0)
            result.put("unreadableDirs", listing.unreadable());
        return result;
    }

    private ObjectNode mkdir(Place place, Arguments args) throws IOException {
        boolean recursive = args.flag("recursive", true);
        if (!recursive)
            Files.createDirectory(place.path());
        else if (!Files.isDirectory(place.path()))
            Files.createDirectories(place.path());
        place.paths().recheck(place.path(), place.given());
        return place.result().put("created", true).put("recursive", recursive);
    }

    private ToolHandler at(@Nullable String absent, Work work) {
        return (ctx, input) -> {
            Arguments args = new Arguments(input);
            String given = absent != null && !input.has("path") ? absent : args.requiredText("path");
            WorkPaths paths = WorkPaths.of(ctx.workdir(), workspace, config.allowOutsideWorkdir());
            try {
                return ToolOutput.of(work.at(new Place(paths, paths.resolve(given), given), args));
            } catch (ClosedByInterruptException e) {
                throw (InterruptedException) new InterruptedException("interrupted at " + given).initCause(e);
            } catch (IOException e) {
                throw FileErrors.of(e, given);
            }
        };
    }

    private record Place(WorkPaths paths, Path path, String given) {
        TextFile file() {
            return new TextFile(paths, path, given);
        }

        ObjectNode result() {
            return Json.MAPPER.createObjectNode().put("path", path.toString());
        }
    }

    private interface Work {
        ObjectNode at(Place place, Arguments args) throws IOException, InterruptedException;
    }

    /// Settings of the tool, from its `spec.config`.
    ///
    /// @param maxReadBytes the most that one `read` returns, as JSON, whatever the model requests
    /// @param maxEntries the most that one `list` returns
    /// @param allowOutsideWorkdir whether paths may lie outside the workdir
    record FileSystemConfig(int maxReadBytes, int maxEntries, boolean allowOutsideWorkdir) {
        static final FileSystemConfig DEFAULT = new FileSystemConfig(1_000_000, 10_000, false);

        static FileSystemConfig of(ObjectNode json) {
            ToolConfig config = new ToolConfig("file-system", json,
                    Set.of("maxReadBytes", "maxEntries", "allowOutsideWorkdir"));
            return new FileSystemConfig(config.positive("maxReadBytes", DEFAULT.maxReadBytes),
                    config.positive("maxEntries", DEFAULT.maxEntries), config.flag("allowOutsideWorkdir"));
        }
    }
}
