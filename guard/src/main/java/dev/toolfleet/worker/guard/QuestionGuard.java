package dev.toolfleet.worker.guard;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.GuardFacts;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Guard of the question that a person is asked to approve.
///
/// **Contract.** The question shows exactly the call that would run, character for character. Only a secret that the
/// fleet itself holds gets a marker, which has its length, and the number of markers goes with the question. Invisible
/// characters are written as escapes ([dev.toolfleet.json.ShownText]). Nothing is cut: a question that is too large is
/// an error, and no person is asked. ResultGuards of bundles change none of this.
///
/// @param secrets that the fleet holds
/// @param maxBytes the longest question that a record takes
record QuestionGuard(KnownSecrets secrets, long maxBytes) {
    Guarded of(ToolReply.Pending question) {
        JsonNode output = question.output();
        if (FleetGuard.isTooDeep(output, 0))
            return refused(ErrorCode.E_TOOL_RESULT_INVALID,
                    "A person has to approve the call, but its arguments are nested too deep to be shown.");
        TextGuard texts = new TextGuard(GuardSettings.QUESTION, secrets, false);
        try {
            JsonNode shown = new TreeGuard(texts).guard(output);
            long size = JsonSize.of(shown);
            int limit = GuardSettings.QUESTION.maxContentLength();
            if (size > limit || size + JsonSize.moreBytes(shown) > maxBytes)
                return refused(ErrorCode.E_TOOL_RESULT_TOO_LARGE,
                        "A person has to approve the call and must see all of it, but the question has " + size
                                + " characters (" + (size + JsonSize.moreBytes(shown)) + " bytes); at most " + limit
                                + " (" + maxBytes
                                + " bytes) can be shown. No person was asked, and the call was not started.");
            return new Guarded(new ToolReply.Pending(question.handle(), shown, question.heartbeatTimeout(),
                    question.token()), new GuardFacts(false, texts.redacted(), JsonSize.of(output), size),
                    texts.redactions());
        } catch (JacksonException e) {
            // The exception's message may quote unguarded text.
            return refused(ErrorCode.E_TOOL_RESULT_INVALID, "A person has to approve the call, but its arguments are"
                    + " not JSON: " + e.getClass().getSimpleName());
        }
    }

    private static Guarded refused(ErrorCode code, String message) {
        return new Guarded(new ToolReply.Failed(ToolError.of(code, message).suggesting(
                "The call did not happen. Call again with smaller arguments, or split the work into several calls.")),
                null);
    }
}
