package dev.toolfleet.sessions.topology;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.session.compaction.Summarizer;
import org.jspecify.annotations.Nullable;

/// Stored state of the compactions of one session.
///
/// @param number the number of begun compactions
/// @param running the one under way; absent for none
/// @param notBefore the end of the pause after the last one
/// @param minMessages the messages that the session must have before the service compacts it again without a request
record CompactionRecord(long number, @Nullable Running running, @Nullable Instant notBefore, long minMessages) {
    static final CompactionRecord NONE = new CompactionRecord(0, null, null, 0);

    CompactionRecord running(Running now) {
        return new CompactionRecord(number, now, notBefore, minMessages);
    }

    CompactionRecord idle() {
        return new CompactionRecord(number, null, notBefore, minMessages);
    }

    CompactionRecord ended(Instant pauseEnd, long messages) {
        return new CompactionRecord(number, null, pauseEnd, messages);
    }

    /// A compaction that waits for its summariser. Its choices stay those of its start, so that a changed policy does
    /// not change a half-done one.
    ///
    /// @param bound messages at this place and behind it are newer, and do not belong to it
    /// @param options its choices
    /// @param request a digest of the request that waits for an answer
    /// @param callId the summariser's call
    /// @param until the instant after which the answer is not waited for any longer
    /// @param answers the answers so far
    record Running(long bound, Options options, String request, String callId, Instant until,
            List<StoredAnswer> answers) {
        Running {
            answers = List.copyOf(answers);
        }
    }

    /// Choices of a compaction, as its policy had them.
    ///
    /// @param strategy a wire name, such as `hybrid`
    /// @param summarizer the full name of the tool; absent for none
    /// @param bundle the bundle of the policy
    record Options(String strategy, long targetTokens, long fixedTokens, int preserveRecentMessages,
            boolean preserveSystemPrompt, boolean dropOnFailure, @Nullable String summarizer, int summarizerWindow,
            long timeoutMs, String bundle) {}

    /// Answer of a summariser.
    ///
    /// @param summary its text; absent for a failure
    /// @param failure the reason; absent for a summary, and when the call was cancelled
    record StoredAnswer(@Nullable String summary, @Nullable String failure) {
        static StoredAnswer failed(String reason) {
            return new StoredAnswer(null, reason);
        }

        Summarizer.Answer answer() {
            if (summary != null)
                return new Summarizer.Summary(summary);
            return failure == null ? new Summarizer.Cancelled() : new Summarizer.Failure(failure);
        }
    }
}
