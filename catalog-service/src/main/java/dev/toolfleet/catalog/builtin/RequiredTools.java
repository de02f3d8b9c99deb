package dev.toolfleet.catalog.builtin;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.StepContext;
import dev.toolfleet.middleware.StepMiddleware;
import tools.jackson.databind.node.ObjectNode;

/// The built-in extension `required-tools`: keeps the tools of `Agent.spec.requiredTools` and `config.tools` in the
/// list, whatever the layers inside it did. All other layers are inside it. An agent with required tools has this layer
/// without listing the extension, like Goondan's `required-tools-guard` (v0.0.3).
public final class RequiredTools implements ExtensionModule {
    /// The name, in faults, of the layer of an agent that does not list the extension.
    public static final String NAME = "@toolfleet/base/required-tools";
    /// Outermost, so that every other layer runs inside it.
    public static final int PRIORITY = Integer.MIN_VALUE;

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        registrar.step(PRIORITY, new Layer(
                new ExtensionConfig("Extension/required-tools spec.config", config, Set.of("tools")).texts("tools")));
    }

    /// Puts back required tools that are missing: at the end, in the order of the requirement.
    ///
    /// @param more names beside those of the agent
    public record Layer(List<String> more) implements StepMiddleware {
        @Override
        public void handle(StepContext ctx, Next next) {
            next.proceed();
            Set<String> required = new LinkedHashSet<>(ctx.requiredTools());
            required.addAll(more);
            required.forEach(name -> ctx.known(name).ifPresent(ctx::add));
        }
    }
}
