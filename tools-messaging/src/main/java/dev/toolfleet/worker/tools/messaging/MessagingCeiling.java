package dev.toolfleet.worker.tools.messaging;

import java.util.List;

import dev.toolfleet.config.Settings;
import dev.toolfleet.worker.tools.args.Ceiling;

/// The most that a bundle may open of a messaging tool.
public final class MessagingCeiling {
    private MessagingCeiling() {}

    /// Reads `worker.tools.slack.ceiling` or that of another service.
    ///
    /// @param tokens variables that may hold its token if the operator sets no ceiling
    public static Ceiling of(Provider provider, List<String> tokens, Settings ceiling) {
        return new Ceiling.Reader(ceiling)
                .variable("token", tokens)
                .opening("apiBaseUrl", List.of(), MessagingCeiling::url, ApiBase::parse, MessagingConfig.URLS)
                .opening("allowApiBaseUrls", List.of(), MessagingCeiling::url, ApiBase::parse, MessagingConfig.URLS)
                .may("allowTokenArgument", true)
                .narrowing(provider.allowKey(), String::equals, List.of(Ceiling.ANY), false, place -> {},
                        "ids of " + provider.place() + "s")
                .most("maxInlineBytes", MessagingConfig.DEFAULT.maxInlineBytes()).read();
    }

    private static boolean url(String most, String named) {
        try {
            return ApiBase.parse(most).equals(ApiBase.parse(named));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
