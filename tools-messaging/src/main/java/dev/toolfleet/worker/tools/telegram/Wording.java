package dev.toolfleet.worker.tools.telegram;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.worker.tools.args.Arguments;

/// The words that Telegram's API takes, from those that models write. Pure.
final class Wording {
    private static final Map<String, String> PARSE_MODES = Map.of("markdown", "Markdown", "markdownv2", "MarkdownV2",
            "markdown-v2", "MarkdownV2", "html", "HTML");
    private static final List<String> ACTIONS = List.of("typing", "upload-photo", "record-video", "upload-video",
            "record-voice", "upload-voice", "upload-document", "choose-sticker", "find-location", "record-video-note",
            "upload-video-note");

    private Wording() {}

    /// A parse mode; case, blanks and underscores do not count.
    static String parseMode(String given) {
        String mode = PARSE_MODES.get(given.toLowerCase(Locale.ROOT).replaceAll("[\\s_]+", ""));
        if (mode == null)
            throw Arguments.invalid("Unsupported parseMode '" + given + "'. Use one of: Markdown, MarkdownV2, HTML.");
        return mode;
    }

    /// A chat action.
    static String action(String given) {
        if (!ACTIONS.contains(given))
            throw Arguments.invalid("Unsupported chat action '" + given + "'. Use one of: "
                    + String.join(", ", ACTIONS) + ".");
        return given.replace('-', '_');
    }
}
