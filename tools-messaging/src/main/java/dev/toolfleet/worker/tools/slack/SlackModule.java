package dev.toolfleet.worker.tools.slack;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.config.Settings;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.Ceiling;
import dev.toolfleet.worker.tools.messaging.Download;
import dev.toolfleet.worker.tools.messaging.FetchedFile;
import dev.toolfleet.worker.tools.messaging.FileRequest;
import dev.toolfleet.worker.tools.messaging.Messaging;
import dev.toolfleet.worker.tools.messaging.MessagingCeiling;
import dev.toolfleet.worker.tools.messaging.Provider;
import dev.toolfleet.worker.tools.messaging.RepeatEffect;
import dev.toolfleet.worker.tools.messaging.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `slack` with the exports `send`, `read`, `edit`, `delete`, `react` and `downloadFile`. Parameters
/// and results are Goondan's, with one exception: a result holds small files only, and reports that in `inlined`.
/// Slack's client is loaded with the first call.
public final class SlackModule implements ToolModule, Authorized {
    private static final Provider SLACK = new Provider("slack", "Slack",
            List.of("SLACK_BOT_TOKEN", "SLACK_TOKEN", "BRAIN_SLACK_BOT_TOKEN"), "SLACK_API_BASE_URL",
            "https://slack.com/api", "channel",
            "Read the channel to see whether it happened before you call again; do not simply repeat the call.", true);
    private static final Set<String> HOSTS = Set.of("slack.com", "slack-files.com", "slack-gov.com");
    private static final int MAX_LIMIT = 1000;
    private static final int DEFAULT_LIMIT = 20;

    private final Messaging messaging;

    /// A module that finds its token in the environment of this process.
    ///
    /// @param workspace the root of the instances' folders
    public SlackModule(Path workspace) {
        this(workspace, System.getenv());
    }

    SlackModule(Path workspace, Map<String, String> env) {
        this.messaging = new Messaging(SLACK, workspace, env);
    }

    /// The most that a bundle may open of it, from `worker.tools.slack.ceiling`.
    public static Ceiling ceiling(Settings ceiling) {
        return MessagingCeiling.of(SLACK, List.of("SLACK_*", "BRAIN_SLACK_BOT_TOKEN"), ceiling);
    }

    @Override
    public void configure(ObjectNode json) {
        messaging.configure(json);
    }

    @Override
    public void tokens(TokenSource source) {
        messaging.tokens(source);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("send", messaging.handler(SlackModule::send), "read", messaging.handler(SlackModule::read),
                "edit", messaging.handler(SlackModule::edit), "delete", messaging.handler(SlackModule::delete), "react",
                messaging.handler(SlackModule::react), "downloadFile", messaging.handler(SlackModule::downloadFile));
    }

    private static ObjectNode send(Session session) throws InterruptedException {
        Form form = new Form(session.args()).required("channel", "channelId").required("text", "text")
                .text("thread_ts", "threadTs").flag("mrkdwn", "mrkdwn").flag("unfurl_links", "unfurlLinks")
                .flag("unfurl_media", "unfurlMedia").flag("reply_broadcast", "replyBroadcast");
        // Slack has no idempotency key for apps: client_msg_id is for its own clients.
        JsonNode answer = SlackApi.post(session, "chat.postMessage", form.fields(), RepeatEffect.ONCE);
        return result(answer.path("channel").asString(form.get("channel")))
                .put("messageTs", answer.path("ts").asString(""))
                .put("text", answer.path("message").path("text").asString(form.get("text")));
    }

    private static ObjectNode read(Session session) throws InterruptedException {
        Arguments args = session.args();
        String messageTs = args.text("messageTs", "");
        boolean one = !messageTs.isEmpty() && !args.input().has("latest");
        boolean thread = args.input().has("threadTs");
        Form form = new Form(args).required("channel", "channelId").text("ts", "threadTs").text("latest", "latest")
                .text("oldest", "oldest").flag("inclusive", "inclusive").text("cursor", "cursor");
        if (one)
            form.put("latest", messageTs).put("inclusive", "true");
        if (one && thread && !args.input().has("oldest"))
            form.put("oldest", messageTs);
        // A thread is read from its first message on, which comes along with the one that is meant.
        long limit = args.number("limit", messageTs.isEmpty() ? DEFAULT_LIMIT : thread ? 2 : 1);
        if (limit < 1 || limit > MAX_LIMIT)
            throw Arguments.invalid("'limit' must be between 1 and " + MAX_LIMIT);
        form.put("limit", Long.toString(limit));
        String method = thread ? "conversations.replies" : "conversations.history";
        JsonNode answer = SlackApi.post(session, method, form.fields(), RepeatEffect.REPEATABLE);
        return messages(answer, result(form.get("channel")).put("method", method)
                .put("messageTs", messageTs.isEmpty() ? null : messageTs)
                .put("threadTs", thread ? form.get("ts") : null), messageTs);
    }

    private static ObjectNode messages(JsonNode answer, ObjectNode result, String messageTs) {
        ArrayNode messages = answer.path("messages") instanceof ArrayNode array
                ? array
                : Json.MAPPER.createArrayNode();
        JsonNode found = messages.values().stream()
                .filter(message -> !messageTs.isEmpty() && message.path("ts").asString("").equals(messageTs))
                .findFirst().orElse(Json.MAPPER.nullNode());
        String cursor = answer.path("response_metadata").path("next_cursor").asString("");
        result.put("count", messages.size());
        result.set("found", found);
        result.set("messages", messages);
        return result.put("hasMore", answer.path("has_more").asBoolean(false))
                .put("nextCursor", cursor.isEmpty() ? null : cursor);
    }

    private static ObjectNode edit(Session session) throws InterruptedException {
        Form form = message(session, "ts").required("text", "text").flag("mrkdwn", "mrkdwn");
        SlackApi.post(session, "chat.update", form.fields(), RepeatEffect.REPEATABLE);
        return result(form.get("channel")).put("messageTs", form.get("ts")).put("edited", true);
    }

    private static ObjectNode delete(Session session) throws InterruptedException {
        Form form = message(session, "ts");
        SlackApi.post(session, "chat.delete", form.fields(), RepeatEffect.REPEATABLE);
        return result(form.get("channel")).put("messageTs", form.get("ts")).put("deleted", true);
    }

    private static ObjectNode react(Session session) throws InterruptedException {
        Form form = message(session, "timestamp");
        List<String> names = EmojiNames.of(session.args());
        for (int at = 0; at < names.size(); at++) {
            try {
                // An emoji that is there already counts as added, so a repeated call has the same result.
                SlackApi.post(session, "reactions.add", form.put("name", names.get(at)).fields(),
                        RepeatEffect.REPEATABLE,
                        Set.of("already_reacted"));
            } catch (ToolException e) {
                throw partly(e, names, at);
            }
        }
        ObjectNode result = result(form.get("channel")).put("messageTs", form.get("timestamp"));
        names.forEach(result.putArray("emojis")::add);
        return result.put("reactionCount", names.size());
    }

    private static ToolException partly(ToolException e, List<String> names, int at) {
        String message = e.getMessage() + " (emoji '" + names.get(at) + "'";
        if (at > 0)
            message += "; added before it: " + String.join(", ", names.subList(0, at));
        if (at + 1 < names.size())
            message += "; not tried: " + String.join(", ", names.subList(at + 1, names.size()));
        String suggestion = e.suggestion();
        return new ToolException(e.code(), message + ")").suggestion(suggestion == null ? "" : suggestion);
    }

    private static ObjectNode downloadFile(Session session) throws InterruptedException {
        String url = session.args().requiredText("url");
        FileRequest wish = FileRequest.of(session);
        FetchedFile file = new Download(session, SlackModule::isSlacks, true, wish.maxBytes()).fetch(url);
        String type = file.header("content-type");
        if (file.redirected() && type != null && type.startsWith("text/html"))
            throw SLACK.refusal("file download", "Slack answered with its sign-in page",
                    "Tell the user that the bot may not see this file, or lacks the scope files:read.");
        ObjectNode result = Json.MAPPER.createObjectNode().put("ok", true)
                .put("url", session.access().token().hide(url)).put("contentType", type)
                .put("contentLength", file.declaredLength()).put("sizeBytes", file.size())
                .put("etag", file.header("etag")).put("contentDisposition", file.header("content-disposition"));
        file.deliver(wish, result);
        return result;
    }

    private static boolean isSlacks(String host) {
        return HOSTS.stream().anyMatch(slacks -> host.equals(slacks) || host.endsWith("." + slacks));
    }

    private static Form message(Session session, String field) {
        return new Form(session.args()).required("channel", "channelId").required(field, "messageTs");
    }

    private static ObjectNode result(String channelId) {
        return Json.MAPPER.createObjectNode().put("ok", true).put("channelId", channelId);
    }
}
