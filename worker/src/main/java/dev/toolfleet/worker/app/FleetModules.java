package dev.toolfleet.worker.app;

import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.middleware.LoggingExtension;
import dev.toolfleet.worker.registry.ModuleLoadException;
import dev.toolfleet.worker.registry.ModuleLoader;
import dev.toolfleet.worker.runtime.builtin.BuiltinModules;
import dev.toolfleet.worker.runtime.jvm.JvmModules;

/// Every way in which a worker reaches code: built in, on the class path, in a bundle's jar.
final class FleetModules implements ModuleLoader {
    private final JvmModules jvm;

    FleetModules(WorkerConfig.BundleFolders folders) {
        this.jvm = new JvmModules(folders::folder);
    }

    @Override
    public ToolModule tool(String bundle, EntryKind entry, Map<String, String> files) {
        return switch (entry) {
            case EntryKind.Builtin(String name) -> BuiltinModules.create(name);
            case EntryKind.JavaClass java -> jvm.fromClassPath(java, ToolModule.class);
            case EntryKind.JarClass jar -> jvm.fromJar(bundle, jar, files, ToolModule.class);
            case EntryKind.Script(String path) -> throw noHost(path);
            case EntryKind.Malformed(String text, String reason) -> throw new ModuleLoadException(text + ": " + reason);
        };
    }

    @Override
    public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
        return switch (entry) {
            case EntryKind.Builtin(String name) when name.equals("logging") -> new LoggingExtension();
            case EntryKind.Builtin(String name) -> throw new ModuleLoadException(
                    "no built-in extension is called '" + name + "'; there is: logging");
            case EntryKind.JavaClass java -> jvm.fromClassPath(java, ExtensionModule.class);
            case EntryKind.JarClass jar -> jvm.fromJar(bundle, jar, files, ExtensionModule.class);
            case EntryKind.Script(String path) -> throw noHost(path);
            case EntryKind.Malformed(String text, String reason) -> throw new ModuleLoadException(text + ": " + reason);
        };
    }

    private static ModuleLoadException noHost(String path) {
        return new ModuleLoadException("nothing here runs " + path);
    }
}
