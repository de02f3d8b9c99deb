package dev.toolfleet.bench.effect;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolReply;
import tools.jackson.databind.node.ObjectNode;

/// The middleware of a run: counts, in each answer of a tool, the layers that the answer passed.
public final class EffectLayer implements ExtensionModule {
    /// The field of an answer with the count.
    public static final String LAYERS = "layers";

    /// For the worker.
    public EffectLayer() {}

    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        registrar.toolCall((ctx, next) -> {
            ToolReply reply = next.proceed();
            if (reply instanceof ToolReply.Ok ok && ok.output() instanceof ObjectNode output)
                return new ToolReply.Ok(output.deepCopy().put(LAYERS, output.path(LAYERS).asInt(0) + 1));
            return reply;
        });
    }
}
