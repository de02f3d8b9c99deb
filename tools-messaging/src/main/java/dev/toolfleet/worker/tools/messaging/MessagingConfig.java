package dev.toolfleet.worker.tools.messaging;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.worker.tools.args.ToolConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Settings of the tool, from its `spec.config`.
///
/// @param tokenVariable the variable of the worker's environment that holds the token, instead of the usual ones
/// @param apiBaseUrl where the API is, instead of the usual place
/// @param allowTokenArgument whether a call may bring a token
/// @param allowApiBaseUrls the places that a call may choose from; the tool's token goes to each of them
/// @param places the channels or chats that a call may name; empty for any
/// @param asUser whether calls act as their user, by that person's grant, and not as the bot
/// @param maxInlineBytes the largest file that a result holds, in bytes
record MessagingConfig(Optional<String> tokenVariable, Optional<ApiBase> apiBaseUrl, boolean allowTokenArgument,
        List<ApiBase> allowApiBaseUrls, Optional<Set<String>> places, boolean asUser,
        int maxInlineBytes) {
    /// As base64 and as a data URL, such a file fits into the 100,000 characters to which results are cut.
    static final MessagingConfig DEFAULT = new MessagingConfig(Optional.empty(), Optional.empty(), false, List.of(),
            Optional.empty(), false, 30_000);
    static final String URLS = "URLs such as https://slack.example.com/api";

    static MessagingConfig of(Provider provider, ObjectNode json) {
        Set<String> keys = new HashSet<>(Set.of("token", "apiBaseUrl", "allowTokenArgument", "allowApiBaseUrls",
                provider.allowKey(), "maxInlineBytes"));
        if (provider.hasUsers())
            keys.add("asUser");
        ToolConfig config = new ToolConfig(provider.tool(), json, keys);
        boolean asUser = provider.hasUsers() && config.flag("asUser");
        if (asUser && (json.has("token") || config.flag("allowTokenArgument")))
            throw new IllegalArgumentException("spec.config of " + provider.tool()
                    + " has asUser and a token of a bot (token, allowTokenArgument); leave one out");
        return new MessagingConfig(Optional.ofNullable(config.variable("token")), base(config),
                config.flag("allowTokenArgument"), config.list("allowApiBaseUrls", ApiBase::parse, List.of(), URLS),
                json.has(provider.allowKey())
                        ? Optional.of(Set.copyOf(config.ids(provider.allowKey())))
                        : Optional.empty(),
                asUser, config.positive("maxInlineBytes", DEFAULT.maxInlineBytes));
    }

    private static Optional<ApiBase> base(ToolConfig config) {
        @Nullable
        ApiBase base = config.text("apiBaseUrl", ApiBase::parse, URLS);
        return Optional.ofNullable(base);
    }
}
