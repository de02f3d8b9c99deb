package dev.toolfleet.worker.tools.slack;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

import com.slack.api.Slack;
import com.slack.api.methods.MethodsClient;
import com.slack.api.util.http.SlackHttpClient;
import dev.toolfleet.json.Json;
import dev.toolfleet.worker.tools.messaging.Exchange;
import dev.toolfleet.worker.tools.messaging.RateLimited;
import dev.toolfleet.worker.tools.messaging.RepeatEffect;
import dev.toolfleet.worker.tools.messaging.Session;
import okhttp3.FormBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls methods of the Web API with Slack's own client. Of the client its lower level is used: its typed requests send
/// every flag that they know, also those that the caller did not set; its typed answers lose the fields that they do
/// not know, and one that cannot be read would look like a message that was not sent; and the level above logs
/// answers. Forms and not JSON, because methods that read do not take JSON.
final class SlackApi {
    private SlackApi() {}

    /// Calls a method.
    ///
    /// @param form the arguments, without the token
    /// @return the answer
    static ObjectNode post(Session session, String method, Map<String, String> form, RepeatEffect effect)
            throws InterruptedException {
        return post(session, method, form, effect, Set.of());
    }

    /// The same.
    ///
    /// @param fine errors that say that there was nothing to do any more
    static ObjectNode post(Session session, String method, Map<String, String> form, RepeatEffect effect,
            Set<String> fine)
            throws InterruptedException {
        return session.exchange(method, effect, exchange -> {
            try (Response response = client(session, exchange).runPostFormWithToken(body(form), method,
                    session.access().token().value())) {
                return read(session, method, effect, exchange, response, fine);
            }
        });
    }

    private static MethodsClient client(Session session, Exchange exchange) {
        MethodsClient client = Slack.getInstance(new SlackHttpClient(exchange.answers(""))).methods();
        client.setEndpointUrlPrefix(session.access().base().url() + "/");
        return client;
    }

    private static FormBody.Builder body(Map<String, String> form) {
        FormBody.Builder body = new FormBody.Builder();
        form.forEach(body::add);
        return body;
    }

    private static ObjectNode read(Session session, String method, RepeatEffect effect, Exchange exchange,
            Response response,
            Set<String> fine) throws IOException, RateLimited {
        if (RateLimited.is(response.code()))
            throw RateLimited.until(response.header("Retry-After"));
        ResponseBody body = response.body();
        JsonNode json = json(body == null ? "" : body.string());
        if (!json.isObject() || !json.path("ok").isBoolean())
            throw session.failure(method, 0, effect, exchange.accepted() || exchange.serverFault(),
                    "HTTP " + response.code() + " and no answer of Slack's API",
                    "Try again later; if it fails again, tell the user that Slack cannot be reached.");
        String error = json.path("error").asString("unknown_error");
        if (json.path("ok").booleanValue() || fine.contains(error))
            return (ObjectNode) json;
        if (error.equals("ratelimited"))
            throw RateLimited.until(response.header("Retry-After"));
        throw session.failure(method, 0, effect, exchange.serverFault() || SlackErrors.maybeDone(error),
                SlackErrors.shown(error, json), SlackErrors.suggestion(error));
    }

    private static JsonNode json(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            return Json.MAPPER.missingNode();
        }
    }
}
