package dev.toolfleet.bundle.check;

import java.net.URI;
import java.util.List;
import java.util.Set;

import dev.toolfleet.bundle.Bundle;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;

/// Checks `kind: OAuthApp`: that secrets travel encrypted, that callbacks arrive, and that the person
/// who authorizes is known.
final class OAuthAppRules {
    private static final List<String> SECRET_CARRIERS = List.of("authorizationUrl", "tokenUrl",
            "deviceAuthorizationUrl", "revokeUrl", "userInfoUrl");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private OAuthAppRules() {}

    static void check(Place spec, Check check) {
        Place endpoints = spec.get("endpoints");
        for (String name : SECRET_CARRIERS) {
            Place address = endpoints.get(name);
            address.text().filter(OAuthAppRules::isPlain)
                    .ifPresent(text -> check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, address,
                            address.shown() + " is not encrypted, so that others could read codes and tokens.",
                            "Write https://; only a server on this machine may have http://."));
        }
        Place path = spec.get("redirect").get("callbackPath");
        path.text().filter(text -> text.startsWith("/") && !OAuthAppSpec.isPath(text))
                .ifPresent(text -> check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, path,
                        path.shown() + " is no path of an address.",
                        "Write a path without a query, spaces or braces, such as " + OAuthAppSpec.CALLBACKS
                                + "/NAME."));
        path.text().filter(
                text -> OAuthAppSpec.isPath(text) && !OAuthAppSpec.isCallbackPath(text))
                .ifPresent(text -> check.findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, path,
                        path.shown() + " is no path at which the gateway takes callbacks.",
                        "Write " + OAuthAppSpec.CALLBACKS + "/NAME, unless a proxy leads the path there."));
        if (isMixable(spec, check.bundle()))
            check.findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, path,
                    path.shown()
                            + " is also that of an OAuthApp of another server, which could send its browsers here to"
                            + " get the codes of this one.",
                    "Write a path of its own, such as " + OAuthAppSpec.CALLBACKS + "/NAME, or endpoints.issuer.");
        if (spec.get("subjectMode").node().asString("").equals("user") && !endpoints.get("userInfoUrl").present())
            check.findings().warning(ProblemCode.E_CONFIG_SUBJECT_UNCHECKED, endpoints,
                    "Nothing checks that the person who authorizes is the call's user: a person who is sent another's"
                            + " link gives that user their own account.",
                    "Add endpoints.userInfoUrl, and let userId of calls be endpoints.userInfoPrefix and the id that the server"
                            + " names.");
    }

    /// RFC 9700 4.4: a callback names its server by its path, or by the issuer.
    private static boolean isMixable(Place spec, Bundle bundle) {
        String path = spec.node().path("redirect").path("callbackPath").asString("");
        String token = spec.node().path("endpoints").path("tokenUrl").asString("");
        return !path.isEmpty() && !spec.node().path("endpoints").has("issuer")
                && bundle.ofKind(Kinds.OAUTH_APP).stream().map(Resource::spec)
                        .anyMatch(other -> other.path("redirect").path("callbackPath").asString("").equals(path)
                                && !other.path("endpoints").path("tokenUrl").asString("").equals(token));
    }

    private static boolean isPlain(String address) {
        if (!address.startsWith("http:"))
            return false;
        try {
            return !LOOPBACK.contains(String.valueOf(URI.create(address).getHost()));
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
