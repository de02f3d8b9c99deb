package dev.toolfleet.worker.tools.telegram;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.messaging.ApiBase;
import dev.toolfleet.worker.tools.messaging.Exchange;
import dev.toolfleet.worker.tools.messaging.RateLimited;
import dev.toolfleet.worker.tools.messaging.RepeatEffect;
import dev.toolfleet.worker.tools.messaging.Session;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;
import org.telegram.telegrambots.client.okhttp.OkHttpTelegramClient;
import org.telegram.telegrambots.meta.TelegramUrl;
import org.telegram.telegrambots.meta.api.methods.GetFile;
import org.telegram.telegrambots.meta.api.methods.botapimethods.BotApiMethod;
import org.telegram.telegrambots.meta.api.methods.reactions.SetMessageReaction;
import org.telegram.telegrambots.meta.api.methods.send.SendChatAction;
import org.telegram.telegrambots.meta.api.methods.send.SendMessage;
import org.telegram.telegrambots.meta.api.methods.updatingmessages.DeleteMessage;
import org.telegram.telegrambots.meta.api.methods.updatingmessages.EditMessageText;
import org.telegram.telegrambots.meta.api.objects.File;
import org.telegram.telegrambots.meta.api.objects.LinkPreviewOptions;
import org.telegram.telegrambots.meta.api.objects.ReplyParameters;
import org.telegram.telegrambots.meta.api.objects.ResponseParameters;
import org.telegram.telegrambots.meta.api.objects.message.Message;
import org.telegram.telegrambots.meta.api.objects.reactions.ReactionType;
import org.telegram.telegrambots.meta.api.objects.reactions.ReactionTypeEmoji;
import org.telegram.telegrambots.meta.exceptions.TelegramApiException;
import org.telegram.telegrambots.meta.exceptions.TelegramApiRequestException;

/// Methods of the Bot API, called with the client library over an [Exchange]. The exchange adds features that the
/// library lacks: a path before the methods, an end in time, a limit of answers, and an error when an answer breaks
/// off. Files are not fetched with the library, which follows every redirect and reads without a limit.
record BotApi(Session session) {
    private static final String NOT_MODIFIED = "message is not modified";

    /// Message that was sent.
    record Sent(int messageId, @Nullable Integer date, String text) {}

    /// Place of a file at Telegram.
    ///
    /// @param path below the place of the bot's files
    record RemoteFile(@Nullable String uniqueId, String path, @Nullable Long size) {}

    Sent send(String chatId, OutgoingText message) throws InterruptedException {
        SendMessage method = SendMessage.builder().chatId(chatId).text(message.text()).parseMode(message.parseMode())
                .disableNotification(message.silent()).linkPreviewOptions(preview(message))
                .replyParameters(reply(message)).build();
        Message sent = call("sendMessage", RepeatEffect.ONCE, method);
        String text = sent.getText();
        return new Sent(sent.getMessageId(), sent.getDate(), text == null ? message.text() : text);
    }

    /// Edits a message. A message that has the text already counts as edited.
    void edit(String chatId, int messageId, OutgoingText message) throws InterruptedException {
        EditMessageText method = EditMessageText.builder().chatId(chatId).messageId(messageId).text(message.text())
                .parseMode(message.parseMode()).linkPreviewOptions(preview(message)).build();
        call("editMessageText", RepeatEffect.REPEATABLE, method, NOT_MODIFIED);
    }

    void delete(String chatId, int messageId) throws InterruptedException {
        call("deleteMessage", RepeatEffect.REPEATABLE,
                DeleteMessage.builder().chatId(chatId).messageId(messageId).build());
    }

    void react(String chatId, int messageId, List<String> emojis, @Nullable Boolean isBig) throws InterruptedException {
        List<ReactionType> reactions = emojis.stream().<ReactionType>map(
                emoji -> ReactionTypeEmoji.builder().emoji(emoji).build()).toList();
        call("setMessageReaction", RepeatEffect.REPEATABLE,
                SetMessageReaction.builder().chatId(chatId).messageId(messageId)
                        .reactionTypes(reactions).isBig(isBig).build());
    }

    void setChatAction(String chatId, String action) throws InterruptedException {
        call("sendChatAction", RepeatEffect.REPEATABLE, SendChatAction.builder().chatId(chatId).action(action).build());
    }

    RemoteFile file(String fileId) throws InterruptedException {
        File file = call("getFile", RepeatEffect.REPEATABLE, GetFile.builder().fileId(fileId).build());
        String path = file.getFilePath();
        if (path == null || path.startsWith("/") || Arrays.asList(path.split("/", -1)).contains(".."))
            throw session.provider().refusal("getFile", "the server offers no address for this file",
                    "Tell the user that the file cannot be fetched; the Bot API server may keep files to itself.");
        return new RemoteFile(file.getFileUniqueId(), session.access().token().hide(path), file.getFileSize());
    }

    /// Returns the address of a file. It contains the token, so it must appear in no log, error or result.
    String address(RemoteFile file) {
        HttpUrl.Builder url = HttpUrl.get(session.access().base().url()).newBuilder().addPathSegment("file")
                .addPathSegment("bot" + session.access().token().value());
        return url.addPathSegments(file.path()).build().toString();
    }

    private <T extends Serializable> T call(String name, RepeatEffect effect, BotApiMethod<T> method)
            throws InterruptedException {
        return call(name, effect, method, "").orElseThrow();
    }

    /// @param fine Telegram's description if there was nothing left to do; then the result is empty
    private <T extends Serializable> Optional<T> call(String name, RepeatEffect effect, BotApiMethod<T> method,
            String fine)
            throws InterruptedException {
        return session.exchange(name, effect, exchange -> {
            CompletableFuture<T> answer = started(name, exchange, method);
            T result = answer.state() == Future.State.SUCCESS ? answer.resultNow() : null;
            return result != null ? Optional.of(result) : refused(name, effect, exchange, answer, fine);
        });
    }

    /// It has ended when it is there: the exchange's client knows no other thread.
    private <T extends Serializable> CompletableFuture<T> started(String name, Exchange exchange,
            BotApiMethod<T> method) {
        ApiBase base = session.access().base();
        try {
            return new OkHttpTelegramClient(exchange.answers(base.path()), session.access().token().value(),
                    new TelegramUrl(base.scheme(), base.host(), base.port(), false)).executeAsync(method);
        } catch (TelegramApiException e) {
            throw Arguments.invalid("[telegram] " + name + " cannot be called: " + e.getMessage());
        }
    }

    private <T extends Serializable> Optional<T> refused(String name, RepeatEffect effect, Exchange exchange,
            CompletableFuture<T> answer, String fine) throws IOException, RateLimited {
        Throwable failure = answer.state() == Future.State.FAILED ? answer.exceptionNow() : null;
        if (failure instanceof IOException broken)
            throw broken;
        TelegramApiRequestException said = failure instanceof TelegramApiRequestException e ? e : null;
        ResponseParameters parameters = said == null ? null : said.getParameters();
        if (RateLimited.is(exchange.status())) {
            Integer seconds = parameters == null ? null : parameters.getRetryAfter();
            throw RateLimited.until(seconds == null ? null : seconds.toString());
        }
        int code = said == null || said.getErrorCode() == null ? 0 : said.getErrorCode();
        String why = said == null || code == 0 || said.getApiResponse() == null
                ? "HTTP " + exchange.status() + " and no answer of the Bot API that can be read"
                : said.getApiResponse();
        if (!fine.isEmpty() && why.contains(fine))
            return Optional.empty();
        boolean unreadable = code == 0 && exchange.accepted();
        throw session.failure(name, code, effect, unreadable || exchange.serverFault(), why,
                TelegramErrors.suggestion(why, parameters == null ? null : parameters.getMigrateToChatId()));
    }

    private static @Nullable LinkPreviewOptions preview(OutgoingText message) {
        return message.noPreview() == null
                ? null
                : LinkPreviewOptions.builder().isDisabled(message.noPreview()).build();
    }

    private static @Nullable ReplyParameters reply(OutgoingText message) {
        if (message.replyTo() == null)
            return null;
        ReplyParameters reply = ReplyParameters.builder().messageId(message.replyTo())
                .allowSendingWithoutReply(message.evenWithoutReply()).build();
        // The builder makes an empty list of them, which would be sent.
        reply.setQuoteEntities(null);
        return reply;
    }
}
