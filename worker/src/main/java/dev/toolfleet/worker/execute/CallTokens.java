package dev.toolfleet.worker.execute;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.ToolAuth;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.oauth.view.TokenDesk;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.wire.ToolCall;

/// Tokens for the calls of one Tool.
///
/// @param bundle the Tool's bundle
/// @param spec the Tool
public record CallTokens(TokenDesk desk, String bundle, ToolSpec spec) implements TokenSource {
    @Override
    public TokenAnswer get(ToolContext context, Duration minTtl, String... scopes) {
        if (!(context instanceof HandlerCall call))
            return new TokenAnswer.Failed("subjectUnavailable",
                    "the context is not the one that the handler got, so no call is known");
        Optional<ToolAuth> auth = spec.exports().stream().filter(export -> isOf(export, call.call().name()))
                .findFirst().flatMap(ToolExport::auth);
        if (auth.isEmpty())
            return new TokenAnswer.Failed("oauthAppNotFound", "Tool/" + spec.name() + " has no auth for the call "
                    + call.call().name() + "; declare spec.auth with its oauthAppRef");
        try {
            return desk.answer(claim(bundle, auth.get(), call.call()), minTtl, List.of(scopes));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new TokenAnswer.Failed("unavailable", "the call was interrupted");
        }
    }

    private boolean isOf(ToolExport export, String fullName) {
        return spec.nameProblem(export).isEmpty() && spec.fullName(export).equals(fullName);
    }

    /// Returns the claim of a call.
    ///
    /// @param bundle the bundle of its Tool
    public static TokenDesk.Claim claim(String bundle, ToolAuth auth, ToolCall call) {
        String owner = auth.app().packageName();
        return new TokenDesk.Claim(owner == null ? bundle : owner, auth.app().name(), auth.scopes(), call.userId(),
                call.instanceKey(), call.agentName());
    }
}
