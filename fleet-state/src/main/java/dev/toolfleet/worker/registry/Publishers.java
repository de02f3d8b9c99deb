package dev.toolfleet.worker.registry;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.resources.DeclaredTool;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Publishers of this worker's extensions, by the namespaces of the owners. Thread-safe.
final class Publishers {
    private final Map<String, ToolOffers> byNamespace = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();
    private final BiFunction<String, ToolSpec, TokenSource> tokens;
    private final InstantSource clock;
    private final Runnable changed;

    /// @param tokens makes the source of tokens for a Tool
    /// @param changed run after each change of an offer
    Publishers(BiFunction<String, ToolSpec, TokenSource> tokens, InstantSource clock, Runnable changed) {
        this.tokens = tokens;
        this.clock = clock;
        this.changed = changed;
    }

    /// Opens a publisher whose tools cannot be found before [#show].
    ToolOffers open(RegistrationOwner owner, LoadedModule<?> module) {
        return new ToolOffers(owner, module, tokens, this::tell);
    }

    /// Replaces an earlier publisher of that owner. The caller reports the change when it holds no lock.
    void show(ToolOffers offers) {
        offers.show(clock.instant());
        byNamespace.put(offers.owner().namespace(), offers);
        changes.incrementAndGet();
    }

    /// Ends a publisher; its offers are gone unless another took its place.
    void close(ToolOffers offers) {
        offers.close();
        byNamespace.remove(offers.owner().namespace(), offers);
        tell();
    }

    private void tell() {
        changes.incrementAndGet();
        changed.run();
    }

    /// Returns a number that grows with each change of an offer, after the change is visible.
    long changes() {
        return changes.get();
    }

    List<OfferedTools> offered() {
        return byNamespace.values().stream().map(ToolOffers::offered).toList();
    }

    /// Returns a declared tool with the code that is offered here; null if none is.
    @Nullable
    RegisteredTool find(ToolRef ref, DeclaredTool declared) {
        ToolOffers offers = byNamespace.get(ref.bundle());
        OfferedCode code = offers == null ? null : offers.code(new ToolName(ref.tool(), ref.export()).toString());
        return offers == null || code == null
                ? null
                : declared.export(ref.export()).map(export -> new RegisteredTool(export,
                        declared.spec().errorMessageLimit(), code.handler(), code.module(), offers.module()))
                        .orElse(null);
    }

    /// Returns the tools of a registration that no extension offers here, with the reason, by namespace and name.
    Map<String, String> missing(Registration registration) {
        String namespace = registration.owner().namespace();
        ToolOffers offers = byNamespace.get(namespace);
        Map<String, String> missing = new TreeMap<>();
        for (String name : registration.tools().keySet()) {
            if (offers == null || offers.code(name) == null)
                missing.put(namespace + "/" + name, "the " + registration.owner()
                        + " has not published it on this worker, as it has on " + registration.worker());
        }
        return missing;
    }

    /// Returns the published tools that were left out, with the reason, by `namespace/name`.
    Map<String, String> leftOut() {
        Map<String, String> all = new TreeMap<>();
        byNamespace.forEach((namespace, offers) -> offers.leftOut()
                .forEach((name, why) -> all.put(namespace + "/" + name, why)));
        return all;
    }
}
