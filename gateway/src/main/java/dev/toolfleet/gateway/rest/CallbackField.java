package dev.toolfleet.gateway.rest;

import java.util.Set;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.wire.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Field `callback` of a call, or the callback of the principal. It travels beside the call, not in it.
final class CallbackField {
    static final String NAME = "callback";
    private static final String URL = "url";
    private static final String SECRET = "secret";
    private static final Set<String> FIELDS = Set.of(URL, SECRET);

    private CallbackField() {}

    /// Takes the field out of the body.
    ///
    /// @return null when neither call nor principal has a callback
    /// @throws ProblemException naming the field
    static @Nullable Callback take(ObjectNode body, Principal principal, WebhookConfig webhooks) {
        JsonNode field = body.remove(NAME);
        if (field == null || field.isNull())
            return principal.callbacks().standing().orElse(null);
        if (!(field instanceof ObjectNode object))
            throw Refusals.invalid("'callback' must be an object with 'url' and 'secret', got " + field.getNodeType()
                    + ".");
        object.propertyNames().stream().filter(name -> !FIELDS.contains(name)).findFirst().ifPresent(name -> {
            throw Refusals.invalid("'callback' has the unknown field '" + name + "'. It has 'url' and 'secret'.");
        });
        Callback callback = new Callback(text(object, URL), text(object, SECRET));
        if (!principal.callbacks().mayName(callback.secret()))
            throw Refusals.of(ProblemType.FORBIDDEN, "The principal '" + principal.name() + "' may not name the secret"
                    + " of 'callback.secret'. " + principal.setting("callback.secrets")
                    + " has the names that it may use.");
        webhooks.refusal(callback).ifPresent(reason -> {
            throw Refusals.invalid("'callback' is refused. " + reason);
        });
        return callback;
    }

    private static String text(ObjectNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isString() || value.stringValue().isEmpty())
            throw Refusals.invalid("'callback." + field + "' must be text and not empty.");
        return value.stringValue();
    }
}
