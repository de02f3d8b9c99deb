package dev.toolfleet.worker.tools.telegram;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.config.Settings;
import dev.toolfleet.json.Json;
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
import dev.toolfleet.worker.tools.messaging.Session;
import tools.jackson.databind.node.ObjectNode;

/// The built-in Tool `telegram` with the exports `send`, `edit`, `delete`, `react`, `setChatAction` and `downloadFile`.
/// Parameters and results are Goondan's, with two exceptions. No result holds the address of a file, because the token
/// is a part of it. A result holds small files only, and reports that in `inlined`. The client library is loaded with
/// the first call.
public final class TelegramModule implements ToolModule {
    private static final Provider TELEGRAM = new Provider("telegram", "Telegram",
            List.of("TELEGRAM_BOT_TOKEN", "BOT_TOKEN", "TELEGRAM_TOKEN", "BRAIN_TELEGRAM_BOT_TOKEN"),
            "TELEGRAM_API_BASE_URL", "https://api.telegram.org", "chat",
            "Ask the user whether the message arrived before you call again: bots cannot look. Do not simply repeat"
                    + " the call.",
            false);
    private static final String HOST = "api.telegram.org";

    private final Messaging messaging;

    /// A module that finds its token in the environment of this process.
    ///
    /// @param workspace the root of the instances' folders
    public TelegramModule(Path workspace) {
        this(workspace, System.getenv());
    }

    TelegramModule(Path workspace, Map<String, String> env) {
        this.messaging = new Messaging(TELEGRAM, workspace, env);
    }

    /// The most that a bundle may open of it, from `worker.tools.telegram.ceiling`.
    public static Ceiling ceiling(Settings ceiling) {
        return MessagingCeiling.of(TELEGRAM, List.of("TELEGRAM_*", "BOT_TOKEN", "BRAIN_TELEGRAM_BOT_TOKEN"), ceiling);
    }

    @Override
    public void configure(ObjectNode json) {
        messaging.configure(json);
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("send", messaging.handler(TelegramModule::send), "edit", messaging.handler(TelegramModule::edit),
                "delete", messaging.handler(TelegramModule::delete), "react", messaging.handler(TelegramModule::react),
                "setChatAction", messaging.handler(TelegramModule::setChatAction), "downloadFile",
                messaging.handler(TelegramModule::downloadFile));
    }

    private static ObjectNode send(Session session) throws InterruptedException {
        Ids ids = new Ids(session.args());
        String chatId = ids.chat();
        BotApi.Sent sent = new BotApi(session).send(chatId, OutgoingText.of(session.args()));
        return result(chatId).put("messageId", sent.messageId()).put("date", sent.date()).put("text", sent.text());
    }

    private static ObjectNode edit(Session session) throws InterruptedException {
        Ids ids = new Ids(session.args());
        String chatId = ids.chat();
        int messageId = ids.message("messageId");
        new BotApi(session).edit(chatId, messageId, OutgoingText.of(session.args()));
        return result(chatId).put("messageId", messageId).put("edited", true);
    }

    private static ObjectNode delete(Session session) throws InterruptedException {
        Ids ids = new Ids(session.args());
        String chatId = ids.chat();
        int messageId = ids.message("messageId");
        new BotApi(session).delete(chatId, messageId);
        return result(chatId).put("messageId", messageId).put("deleted", true);
    }

    private static ObjectNode react(Session session) throws InterruptedException {
        Ids ids = new Ids(session.args());
        String chatId = ids.chat();
        int messageId = ids.message("messageId");
        boolean clear = session.args().flag("clear", false);
        List<String> emojis = clear ? List.of() : emojis(session.args());
        boolean isBig = session.args().flag("isBig", false);
        new BotApi(session).react(chatId, messageId, emojis, session.args().input().has("isBig") ? isBig : null);
        ObjectNode result = result(chatId).put("messageId", messageId).put("cleared", clear);
        emojis.forEach(result.putArray("emojis")::add);
        return result.put("reactionCount", emojis.size());
    }

    private static List<String> emojis(Arguments args) {
        Set<String> emojis = new LinkedHashSet<>();
        emojis.add(args.text("emoji", "").strip());
        args.texts("emojis").forEach(emoji -> emojis.add(emoji.strip()));
        emojis.remove("");
        if (emojis.isEmpty())
            throw Arguments.invalid("Provide 'emoji' or 'emojis' to set message reaction, or set 'clear=true' to remove"
                    + " reactions.");
        return List.copyOf(emojis);
    }

    private static ObjectNode setChatAction(Session session) throws InterruptedException {
        String chatId = new Ids(session.args()).chat();
        String status = session.args().text("action", "typing");
        String action = Wording.action(status);
        new BotApi(session).setChatAction(chatId, action);
        return result(chatId).put("status", status).put("action", action);
    }

    private static ObjectNode downloadFile(Session session) throws InterruptedException {
        String fileId = session.args().requiredText("fileId");
        FileRequest wish = FileRequest.of(session);
        BotApi api = new BotApi(session);
        BotApi.RemoteFile remote = api.file(fileId);
        Download download = new Download(session, HOST::equals, false, wish.maxBytes());
        Long size = remote.size();
        if (size != null && size > wish.maxBytes())
            throw download.tooLarge(size);
        FetchedFile file = download.fetch(api.address(remote));
        ObjectNode result = Json.MAPPER.createObjectNode().put("ok", true).put("fileId", fileId)
                .put("fileUniqueId", remote.uniqueId()).put("filePath", remote.path()).put("fileSize", size)
                .put("contentType", file.header("content-type")).put("sizeBytes", file.size());
        file.deliver(wish, result);
        return result;
    }

    private static ObjectNode result(String chatId) {
        return Json.MAPPER.createObjectNode().put("ok", true).put("chatId", chatId);
    }
}
