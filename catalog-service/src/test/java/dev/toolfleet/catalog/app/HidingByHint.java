package dev.toolfleet.catalog.app;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import tools.jackson.databind.node.ObjectNode;

/// Hides the tool that the agent runtime's hints name, and fails without them.
public final class HidingByHint implements ExtensionModule {
    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        registrar.step(config.path("priority").asInt(0), (ctx, next) -> {
            String hidden = ctx.hints().required("hide").asString();
            ctx.keep(tool -> !tool.name().equals(hidden));
            next.proceed();
        });
    }
}
