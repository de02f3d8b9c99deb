package dev.toolfleet.example.hello;

import java.util.List;

import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallContext;
import dev.toolfleet.middleware.ToolCallMiddleware.Next;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A middleware: strips white space around the arguments that `config.fields` lists. If nothing is left of one, it
/// answers itself, without calling the tool.
public final class TidyNames implements ExtensionModule {
    @Override
    public void register(ExtensionRegistrar registrar, ObjectNode config) {
        List<String> fields = config.path("fields").values().stream().map(JsonNode::asString).toList();
        if (fields.isEmpty())
            throw new IllegalArgumentException("tidy-names: config.fields lists no argument, such as [name]");
        registrar.toolCall((ctx, next) -> tidy(fields, ctx, next));
    }

    private static ToolReply tidy(List<String> fields, ToolCallContext ctx, Next next) throws Exception {
        if (!(ctx.args() instanceof ObjectNode args))
            return next.proceed();
        ObjectNode tidied = args.deepCopy();
        for (String field : fields) {
            if (!args.path(field).isString())
                continue;
            String text = args.path(field).stringValue().strip();
            if (text.isEmpty())
                return new ToolReply.Failed(new ToolError("E_BLANK_ARGUMENT", "BlankArgumentError",
                        "The argument '" + field + "' of " + ctx.toolName() + " is blank.",
                        "Ask the user for the name and call again.", null));
            tidied.put(field, text);
        }
        ctx.args(tidied);
        return next.proceed();
    }
}
