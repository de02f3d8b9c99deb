package dev.toolfleet.worker.tools.messaging;

import java.util.Optional;

import dev.toolfleet.worker.tools.args.Arguments;

/// Requested form of a downloaded file.
///
/// @param maxBytes the largest that is fetched
/// @param base64 whether the result is to hold it
/// @param dataUrl whether the result is to hold it as a data URL too
/// @param target where to save it
/// @param maxInlineBytes the largest that a result holds
public record FileRequest(int maxBytes, boolean base64, boolean dataUrl, Optional<SavedFile> target,
        int maxInlineBytes) {
    static final int MAX_BYTES = 20_000_000;
    private static final int DEFAULT_BYTES = 3_000_000;

    /// Reads `maxBytes`, `includeBase64`, `includeDataUrl` and `savePath`.
    public static FileRequest of(Session session) {
        Arguments args = session.args();
        long maxBytes = args.number("maxBytes", DEFAULT_BYTES);
        if (maxBytes < 1 || maxBytes > MAX_BYTES)
            throw Arguments.invalid("'maxBytes' must be between 1 and " + MAX_BYTES);
        Optional<SavedFile> target = args.input().has("savePath")
                ? Optional.of(SavedFile.at(session.paths().get(), args.requiredText("savePath")))
                : Optional.empty();
        return new FileRequest((int) maxBytes, args.flag("includeBase64", true), args.flag("includeDataUrl", true),
                target,
                session.maxInlineBytes());
    }
}
