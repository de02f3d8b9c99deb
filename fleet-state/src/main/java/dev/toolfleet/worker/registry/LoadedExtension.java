package dev.toolfleet.worker.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.ResourceRecord;
import tools.jackson.databind.node.ObjectNode;

/// One use of an extension, by an agent or by the fleet: its module, the layers that it registered, and the tools that
/// it publishes. It offers tools from [#show] on, so that an extension that is being loaded does not replace the one of
/// the revision in use. Thread-safe.
final class LoadedExtension {
    /// Input of a use: if it is equal, the module may stay.
    ///
    /// @param declared the Extension
    /// @param overlay the user's own configuration; empty for none
    record Source(RegistrationOwner owner, String bundle, ObjectNode declared, Map<String, String> files,
            ObjectNode overlay) {
        static Source of(RegistrationOwner owner, ResourceRecord extension, ObjectNode overlay) {
            return new Source(owner, extension.bundle(), extension.resource(), extension.files(), overlay);
        }

        ExtensionSpec spec() {
            return ExtensionSpec.of(declared);
        }

        boolean isOfTheAgentRuntime() {
            return spec().entryKind() instanceof EntryKind.Script;
        }
    }

    private final Source source;
    private final LoadedModule<ExtensionModule> module;
    private final List<Layer> layers = new CopyOnWriteArrayList<>();
    private final Publishers publishers;
    private final Map<RegistrationOwner, ToolOffers> offers = new HashMap<>();
    private boolean shown;
    private boolean closed;

    private LoadedExtension(Source source, LoadedModule<ExtensionModule> module, Publishers publishers) {
        this.source = source;
        this.module = module;
        this.publishers = publishers;
    }

    /// Makes the module and lets it register. If it throws, nothing is registered.
    static LoadedExtension load(Source source, ModuleLoader loader, Publishers publishers, ModuleThreads threads) {
        ExtensionSpec spec = source.spec();
        String name = source.bundle() + "/" + spec.name();
        ExtensionModule made = loader.extension(source.bundle(), spec.entryKind(), source.files());
        LoadedExtension loaded = new LoadedExtension(source, new LoadedModule<>(name, made,
                close -> threads.close(name, close)), publishers);
        try {
            ObjectNode config = spec.config().deepCopy();
            config.setAll(source.overlay());
            made.register(loaded.registrar(spec.name()), config);
            return loaded;
        } catch (Throwable e) {
            loaded.close();
            throw e;
        }
    }

    private ExtensionRegistrar registrar(String name) {
        return new ExtensionRegistrar() {
            @Override
            public boolean runsTools() {
                return true;
            }

            @Override
            public void toolCall(int priority, ToolCallMiddleware middleware) {
                layers.add(new Layer(name, priority, middleware));
            }

            @Override
            public ToolPublisher tools() {
                return publisher(source.owner());
            }

            @Override
            public ToolPublisher mcpTools(String server) {
                return publisher(source.owner().server(server));
            }
        };
    }

    private ToolPublisher publisher(RegistrationOwner owner) {
        synchronized (offers) {
            if (closed)
                return ToolPublisher.NOWHERE;
            ToolOffers known = offers.get(owner);
            if (known != null)
                return known;
            ToolOffers made = publishers.open(owner, module);
            offers.put(owner, made);
            if (shown)
                publishers.show(made);
            return made;
        }
    }

    /// Replaces the tools of an earlier use.
    void show() {
        synchronized (offers) {
            if (closed || shown)
                return;
            shown = true;
            offers.values().forEach(publishers::show);
        }
    }

    List<Layer> layers() {
        return layers;
    }

    LoadedModule<ExtensionModule> module() {
        return module;
    }

    /// Ends the registry's use: it offers nothing more, and the module closes when its last call has ended.
    void close() {
        synchronized (offers) {
            closed = true;
            offers.values().forEach(publishers::close);
        }
        module.release();
    }
}
