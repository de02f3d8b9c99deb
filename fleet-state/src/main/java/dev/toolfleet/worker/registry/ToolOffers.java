package dev.toolfleet.worker.registry;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.middleware.ToolPublisher;
import dev.toolfleet.resources.RegisteredTools;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Offers of one use of an extension on this worker, until the extension is replaced. Thread-safe.
final class ToolOffers implements ToolPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(ToolOffers.class);

    private record Offer(ToolDeclaration declaration, OfferedCode code) {}

    private final RegistrationOwner owner;
    private final LoadedModule<?> module;
    private final BiFunction<String, ToolSpec, TokenSource> tokens;
    private final Runnable changed;
    private final Map<String, Offer> offers = new ConcurrentHashMap<>();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();
    private final Map<String, String> leftOut = new ConcurrentHashMap<>();
    private volatile @Nullable Instant openedAt;
    private volatile boolean closed;

    /// @param module of the extension
    /// @param tokens makes the source of tokens for a Tool
    /// @param changed run after each change
    ToolOffers(RegistrationOwner owner, LoadedModule<?> module, BiFunction<String, ToolSpec, TokenSource> tokens,
            Runnable changed) {
        this.tokens = tokens;
        this.owner = owner;
        this.module = module;
        this.changed = changed;
    }

    @Override
    public void publish(ToolDeclaration declaration, ToolHandler handler) {
        publish(declaration, OfferedCode.of(declaration, handler));
    }

    @Override
    public void publish(ToolDeclaration declaration, ToolModule module) {
        publish(declaration, OfferedCode.of(declaration, module));
    }

    private void publish(ToolDeclaration published, OfferedCode code) {
        ToolDeclaration declaration = RegisteredTools.owned(owner, published);
        Optional<String> problem = RegisteredTools.problem(owner, declaration).or(code::problem)
                .or(() -> authorized(declaration, code.module()));
        if (problem.isPresent()) {
            if (!problem.get().equals(leftOut.put(declaration.name(), problem.get())))
                LOG.atWarn().addKeyValue(LogKeys.SOURCE, owner.namespace())
                        .addKeyValue(LogKeys.TOOL, declaration.name())
                        .addKeyValue(LogKeys.REASON, problem.get()).log("published tool left out");
            remove(declaration.name());
            return;
        }
        leftOut.remove(declaration.name());
        offers.put(declaration.name(), new Offer(declaration, code));
        removed.remove(declaration.name());
        tell();
    }

    /// Gives the module its source of tokens, if it acts for people.
    ///
    /// @return the reason why this worker has none
    private Optional<String> authorized(ToolDeclaration declaration, ToolModule module) {
        if (!(module instanceof Authorized authorized) || !declaration.export().has("auth"))
            return Optional.empty();
        try {
            authorized.tokens(tokens.apply(owner.namespace(), RegisteredTools.spec(owner, declaration)));
            return Optional.empty();
        } catch (ModuleLoadException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void remove(String name) {
        removed.add(name);
        if (offers.remove(name) != null)
            tell();
    }

    private void tell() {
        if (openedAt != null && !closed)
            changed.run();
    }

    /// Makes its tools findable from now on.
    void show(Instant now) {
        openedAt = now;
    }

    RegistrationOwner owner() {
        return owner;
    }

    /// Returns its present offers; none once it is closed.
    OfferedTools offered() {
        Map<String, ToolDeclaration> tools = new TreeMap<>();
        if (!closed)
            offers.forEach((name, offer) -> tools.put(name, offer.declaration()));
        return new OfferedTools(owner, requireNonNull(openedAt), tools, Set.copyOf(removed));
    }

    /// Returns the code of the tool of that full name; null if it is not offered.
    @Nullable
    OfferedCode code(String name) {
        Offer offer = closed ? null : offers.get(name);
        return offer == null ? null : offer.code();
    }

    LoadedModule<?> module() {
        return module;
    }

    /// Returns the tools that were left out, with the reason, by the name under which they were published.
    Map<String, String> leftOut() {
        return leftOut;
    }

    void close() {
        closed = true;
    }
}
