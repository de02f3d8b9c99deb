package dev.toolfleet.worker.tools.messaging;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.worker.tools.args.Arguments;

/// Account of a call at a messaging service: its token and its API. The operator chooses both, by the Tool's
/// configuration, else by the worker's environment. A call decides only the parts that the configuration leaves to it,
/// and never sends the tool's token to a place that the operator did not name.
public record MessagingAccount(Token token, ApiBase base) {

    static MessagingAccount of(Provider provider, MessagingConfig config, Map<String, String> env, Arguments args) {
        return new MessagingAccount(token(provider, config, env, args), base(provider, config, env, args));
    }

    /// The same with the token of the call's user.
    ///
    /// @throws dev.toolfleet.tool.ToolException when there is none
    static MessagingAccount of(Provider provider, MessagingConfig config, Map<String, String> env, Arguments args,
            TokenAnswer answer) {
        if (args.input().has("token"))
            throw Arguments.invalid("'token' is not accepted by this tool",
                    "Leave token out: the call acts as its user.");
        return switch (answer) {
            case TokenAnswer.Ready ready -> new MessagingAccount(Token.of(ready.accessToken()),
                    base(provider, config, env, args));
            // The declared outputs have no place for a link.
            case TokenAnswer.Required required -> throw provider.error("UNAUTHORIZED",
                    required.message() + " " + required.authorizationUrl(),
                    "Show the user the link, and call again once they have authorized.");
            case TokenAnswer.Failed(String code, String message) -> throw provider.error("UNAUTHORIZED",
                    code + ": " + message, "Tell the user.");
        };
    }

    private static Token token(Provider provider, MessagingConfig config, Map<String, String> env, Arguments args) {
        boolean own = args.input().has("token");
        if (own && !config.allowTokenArgument())
            throw Arguments.invalid("'token' is not accepted by this tool",
                    "Leave token out: the operator has set the one to use.");
        Optional<String> text = own
                ? Optional.of(args.requiredText("token"))
                : config.tokenVariable().map(env::get)
                        .or(() -> config.tokenVariable().isPresent() ? Optional.empty() : usual(provider, env));
        try {
            return Token.of(text.orElseThrow(() -> missing(provider, config)));
        } catch (IllegalArgumentException e) {
            throw provider.error("NO_TOKEN", provider.name() + " bot token cannot be used: " + e.getMessage() + ".",
                    "Tell the user that the operator has to set a valid token.");
        }
    }

    private static Optional<String> usual(Provider provider, Map<String, String> env) {
        return provider.tokenVariables().stream().map(name -> env.getOrDefault(name, ""))
                .filter(value -> !value.isBlank()).findFirst();
    }

    private static RuntimeException missing(Provider provider, MessagingConfig config) {
        String where = config.tokenVariable()
                .orElse(provider.tokenVariables().stream().collect(Collectors.joining("/")));
        return provider.error("NO_TOKEN", provider.name() + " bot token not found. Set " + where
                + " in the worker's environment.", "Tell the user that the operator has to set it. Do not ask for it.");
    }

    private static ApiBase base(Provider provider, MessagingConfig config, Map<String, String> env, Arguments args) {
        if (args.input().has("apiBaseUrl")) {
            String asked = args.requiredText("apiBaseUrl");
            return config.allowApiBaseUrls().stream().filter(allowed -> isAt(allowed, asked)).findFirst()
                    .orElseThrow(() -> Arguments.invalid("'apiBaseUrl' is not one that this tool may use",
                            "Leave apiBaseUrl out: the operator has set the one to use."));
        }
        Optional<ApiBase> configured = config.apiBaseUrl();
        if (configured.isPresent())
            return configured.get();
        String set = env.getOrDefault(provider.baseVariable(), "");
        try {
            return ApiBase.parse(set.isBlank() ? provider.defaultBase() : set);
        } catch (IllegalArgumentException e) {
            throw provider.error("FAILED", "The variable " + provider.baseVariable() + " of the worker cannot be used: "
                    + e.getMessage() + ".", "Tell the user that the operator has to correct it.");
        }
    }

    private static boolean isAt(ApiBase allowed, String asked) {
        try {
            return allowed.equals(ApiBase.parse(asked));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
