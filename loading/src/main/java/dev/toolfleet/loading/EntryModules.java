package dev.toolfleet.loading;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolModule;
import tools.jackson.databind.node.ObjectNode;

/// Module loader for all kinds of entries: built in, on the class path, and in a bundle's jar.
public final class EntryModules implements ModuleLoader {
    /// Refuses every Tool that needs tokens of people.
    public static final BiFunction<String, ToolSpec, TokenSource> NO_TOKENS = (bundle, spec) -> {
        throw new ModuleLoadException("Tool/" + spec.name() + " of bundle '" + bundle
                + "' needs tokens of people, and this process has none");
    };

    private final JvmModules jvm;
    private final Map<String, Supplier<ToolModule>> tools;
    private final Map<String, Supplier<ExtensionModule>> extensions;
    private final Map<String, BiFunction<String, ObjectNode, ObjectNode>> ceilings;
    private final Function<String, Path> folders;
    private final ScriptModules scripts;
    private final BiFunction<String, ToolSpec, TokenSource> tokens;

    /// Makes a loader without ceilings, for a process that runs no scripts.
    public EntryModules(Function<String, Path> folders, Map<String, Supplier<ToolModule>> tools,
            Map<String, Supplier<ExtensionModule>> extensions) {
        this(folders, tools, extensions, Map.of(), ScriptModules.NONE, NO_TOKENS);
    }

    /// @param folders the folder of a bundle's files
    /// @param tools the built-in Tools of this process, by the name in their entry, `builtin:NAME`
    /// @param extensions the built-in Extensions, by the name in their entry
    /// @param ceilings by name: limits the configuration of a built-in Tool, given the name and the configuration
    /// @param scripts runs Tools in other languages than Java
    /// @param tokens makes the source of tokens for a Tool
    public EntryModules(Function<String, Path> folders, Map<String, Supplier<ToolModule>> tools,
            Map<String, Supplier<ExtensionModule>> extensions,
            Map<String, BiFunction<String, ObjectNode, ObjectNode>> ceilings, ScriptModules scripts,
            BiFunction<String, ToolSpec, TokenSource> tokens) {
        this.tokens = tokens;
        this.folders = folders;
        this.scripts = scripts;
        this.ceilings = Map.copyOf(ceilings);
        this.jvm = new JvmModules(folders);
        this.tools = Map.copyOf(tools);
        this.extensions = Map.copyOf(extensions);
    }

    @Override
    public TokenSource tokens(String bundle, ToolSpec spec) {
        return tokens.apply(bundle, spec);
    }

    @Override
    public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
        if (spec.entryKind() instanceof EntryKind.Script(String path))
            return scripts.tool(spec, path, new BundleCode(bundle, folders.apply(bundle), files));
        return module(bundle, spec.entryKind(), files, tools, "tool", ToolModule.class);
    }

    @Override
    public ObjectNode bounded(String tool, EntryKind entry, ObjectNode config) {
        BiFunction<String, ObjectNode, ObjectNode> ceiling = entry instanceof EntryKind.Builtin(String name)
                ? ceilings.get(name)
                : null;
        return ceiling == null ? config : ceiling.apply(tool, config);
    }

    @Override
    public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
        return module(bundle, entry, files, extensions, "extension", ExtensionModule.class);
    }

    private <M> M module(String bundle, EntryKind entry, Map<String, String> files, Map<String, Supplier<M>> builtIns,
            String kind, Class<M> type) {
        return switch (entry) {
            case EntryKind.Builtin(String name) -> builtIn(name, builtIns, kind);
            case EntryKind.JavaClass java -> jvm.fromClassPath(java, type);
            case EntryKind.JarClass jar -> jvm.fromJar(bundle, jar, files, type);
            case EntryKind.Script(String path) -> throw new ModuleLoadException("nothing here runs " + path);
            case EntryKind.Malformed(String text, String reason) -> throw new ModuleLoadException(text + ": " + reason);
        };
    }

    private static <M> M builtIn(String name, Map<String, Supplier<M>> builtIns, String kind) {
        Supplier<M> made = builtIns.get(name);
        if (made == null)
            throw new ModuleLoadException("no built-in " + kind + " is called '" + name + "'; there are: "
                    + String.join(", ", new TreeSet<>(builtIns.keySet())));
        return made.get();
    }
}
