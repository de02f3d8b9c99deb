package dev.toolfleet.wire;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Decoder of [Completion]s as tools in any language write them. It also checks rules that a record itself cannot: the
/// fields of each kind. Never throws on data.
///
/// | kind | `output` | `error` | `progress` |
/// |---|---|---|---|
/// | `completed` | optional | none | none |
/// | `failed` | none | required, with `code` and `message` | none |
/// | `cancelled` | none | optional | none |
/// | `progress` | none | none | required; `percent` from 0 to 100 |
public final class CompletionDecoder {
    private static final WireCodec<Completion> CODEC = WireCodec.exact(Completion.class);
    /// The longest reason; reasons travel in headers, so quoted values are cut.
    private static final int MAX_REASON = 500;

    private CompletionDecoder() {}

    /// Reads a record's value. The key is ignored: it only places the record.
    public static DecodedCompletion decode(byte @Nullable [] value) {
        if (value == null)
            return new DecodedCompletion.Malformed("the record has no value", null);
        Completion completion;
        try {
            completion = CODEC.read(value);
        } catch (WireFormatException e) {
            return malformed(String.valueOf(e.getMessage()), handle(value));
        }
        String problem = problem(completion);
        return problem == null
                ? new DecodedCompletion.Valid(completion)
                : malformed(problem, completion.handle().length() > PendingCall.MAX_HANDLE
                        ? null
                        : completion.handle());
    }

    private static DecodedCompletion malformed(String reason, @Nullable String handle) {
        return new DecodedCompletion.Malformed(ErrorText.limit(reason, MAX_REASON), handle);
    }

    /// Returns the problem of a completion; null when it is well formed.
    public static @Nullable String problem(Completion completion) {
        if (completion.handle().isBlank())
            return "'handle' is empty";
        if (completion.handle().length() > PendingCall.MAX_HANDLE) {
            return "'handle' has " + completion.handle().length() + " characters; at most " + PendingCall.MAX_HANDLE
                    + " are accepted";
        }
        Progress progress = completion.progress();
        return switch (completion.kind()) {
            case COMPLETED -> completion.error() != null ? both(completion, "error") : noProgress(completion);
            case FAILED -> {
                if (completion.error() == null)
                    yield "'error' is missing: a completion of kind 'failed' needs it";
                yield completion.output() != null ? both(completion, "output") : noProgress(completion);
            }
            case CANCELLED -> completion.output() != null ? both(completion, "output") : noProgress(completion);
            case PROGRESS -> {
                if (progress == null)
                    yield "'progress' is missing: a completion of kind 'progress' needs it";
                if (completion.output() != null)
                    yield both(completion, "output");
                yield completion.error() != null ? both(completion, "error") : percent(progress);
            }
            case UNKNOWN -> "'kind' is none that this version knows";
        };
    }

    private static String both(Completion completion, String field) {
        return "'" + field + "' does not go with kind '" + completion.kind().text() + "'";
    }

    private static @Nullable String noProgress(Completion completion) {
        return completion.progress() == null ? null : both(completion, "progress");
    }

    private static @Nullable String percent(Progress progress) {
        Double percent = progress.percent();
        return percent == null || (percent >= 0 && percent <= 100)
                ? null
                : "'progress.percent' is " + percent + "; it goes from 0 to 100";
    }

    private static @Nullable String handle(byte[] value) {
        try {
            JsonNode handle = Json.MAPPER.readTree(value).path("handle");
            return handle.isString() && handle.stringValue().length() <= PendingCall.MAX_HANDLE
                    ? handle.stringValue()
                    : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
