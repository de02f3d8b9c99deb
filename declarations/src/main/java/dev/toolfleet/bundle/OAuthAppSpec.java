package dev.toolfleet.bundle;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import tools.jackson.databind.node.ObjectNode;

/// An OAuthApp: the fleet as a client of an authorization server.
///
/// @param provider the server's name for people
/// @param flow the grant type by which a person authorizes
/// @param subjectMode whose grants it holds
/// @param clientId the client's id
/// @param clientSecret the client's secret; absent for a public client
/// @param endpoints the server's addresses
/// @param scopes the scopes that tools may request
/// @param callbackPath the path to which the server sends the browser back; absent in the device flow
/// @param options parameters that are added to the authorization request
public record OAuthAppSpec(String name, String provider, Flow flow, SubjectMode subjectMode, Value clientId,
        Optional<Value> clientSecret, Endpoints endpoints, List<String> scopes, Optional<String> callbackPath,
        Map<String, String> options) {
    /// The path at which the gateway takes callbacks, and below which it does.
    public static final String CALLBACKS = "/oauth/callback";

    /// Grant type by which a person authorizes.
    public enum Flow {
        /// In a browser that comes back to the gateway (RFC 6749 4.1).
        AUTHORIZATION_CODE,
        /// With a code that the person enters on another device (RFC 8628).
        DEVICE_CODE
    }

    /// Owner of the grants.
    public enum SubjectMode {
        /// One grant for all calls.
        GLOBAL,
        /// One grant for each user.
        USER
    }

    /// Setting of a client: the text itself, or the variable of the environment that holds it.
    ///
    /// @param text the text; absent when a variable holds it
    /// @param variable the variable's name; absent for a text, and for a source that the fleet does not read
    public record Value(Optional<String> text, Optional<String> variable) {
        /// Returns the value.
        ///
        /// @param environment as [System#getenv]
        /// @return empty when it is not there
        public Optional<String> in(Map<String, String> environment) {
            return text.or(() -> variable.map(environment::get)).filter(value -> !value.isBlank());
        }

        /// Returns the place of the value, for people. It never shows the value.
        public String place() {
            return variable.map(name -> "the variable " + name)
                    .orElseGet(() -> text.isPresent()
                            ? "a text of the bundle"
                            : "a source that the fleet does not read; write {valueFrom: {env: NAME}}");
        }

        private static Value of(ResourceJson json) {
            if (!json.node().isObject())
                return new Value(Optional.of(json.text()), Optional.empty());
            return new Value(json.get("value").optionalText(), json.get("valueFrom").get("env").optionalText());
        }
    }

    /// Addresses of the authorization server.
    ///
    /// @param token where codes and refresh tokens become access tokens
    /// @param authorization where a browser begins; absent in the device flow
    /// @param deviceAuthorization where the device flow begins; absent in the other
    /// @param revoke where tokens are revoked
    /// @param userInfo where the server names the person who has authorized
    /// @param userInfoClaim the field of that answer with the person's id
    /// @param userInfoPrefix the text that stands before that id in the `userId` of calls; empty for none
    /// @param issuer the server's `iss` (RFC 9207); a callback with another one is refused
    public record Endpoints(URI token, Optional<URI> authorization, Optional<URI> deviceAuthorization,
            Optional<URI> revoke, Optional<URI> userInfo, String userInfoClaim, String userInfoPrefix,
            Optional<String> issuer) {}

    /// Copies the collections.
    public OAuthAppSpec {
        scopes = List.copyOf(scopes);
        options = Map.copyOf(options);
    }

    /// Reads a resource of kind `OAuthApp`.
    ///
    /// @throws InvalidResourceException when it is no OAuthApp, or a field has the wrong shape
    public static OAuthAppSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.OAUTH_APP);
        Flow flow = flow(spec.get("flow"));
        ResourceJson endpoints = spec.get("endpoints");
        ResourceJson secret = spec.get("client").get("clientSecret");
        Endpoints addresses = new Endpoints(address(endpoints.get("tokenUrl")), optional(endpoints,
                "authorizationUrl"), optional(endpoints, "deviceAuthorizationUrl"), optional(endpoints, "revokeUrl"),
                optional(endpoints, "userInfoUrl"), endpoints.get("userInfoClaim").text("sub"),
                endpoints.get("userInfoPrefix").text(""),
                endpoints.get("issuer").optionalText());
        if (flow == Flow.AUTHORIZATION_CODE && addresses.authorization().isEmpty())
            throw endpoints.get("authorizationUrl").wrong("there in the flow authorizationCode");
        if (flow == Flow.DEVICE_CODE && addresses.deviceAuthorization().isEmpty())
            throw endpoints.get("deviceAuthorizationUrl").wrong("there in the flow deviceCode");
        return new OAuthAppSpec(ResourceJson.name(resource), spec.get("provider").text(), flow,
                spec.get("subjectMode").choice(SubjectMode.class).orElse(SubjectMode.USER),
                Value.of(spec.get("client").get("clientId")),
                secret.present() ? Optional.of(Value.of(secret)) : Optional.empty(), addresses,
                spec.get("scopes").list(ResourceJson::text),
                callbackPath(spec.get("redirect").get("callbackPath")), options(spec.get("options")));
    }

    /// True for a path that can follow the gateway's address: without a query, and with all other characters encoded.
    public static boolean isPath(String text) {
        try {
            return text.startsWith("/") && !text.startsWith("//") && text.equals(new URI(text).getRawPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /// True for a path at which the gateway takes callbacks.
    public static boolean isCallbackPath(String path) {
        return path.equals(CALLBACKS) || path.startsWith(CALLBACKS + "/");
    }

    private static Optional<String> callbackPath(ResourceJson json) {
        Optional<String> path = json.optionalText();
        if (path.isPresent() && !isPath(path.get()))
            throw json.wrong("a path");
        return path;
    }

    private static Flow flow(ResourceJson json) {
        return switch (json.text()) {
            case "authorizationCode" -> Flow.AUTHORIZATION_CODE;
            case "deviceCode" -> Flow.DEVICE_CODE;
            default -> throw json.wrong("authorizationCode or deviceCode");
        };
    }

    private static Optional<URI> optional(ResourceJson json, String name) {
        return json.get(name).present() ? Optional.of(address(json.get(name))) : Optional.empty();
    }

    private static URI address(ResourceJson json) {
        try {
            return new URI(json.text());
        } catch (URISyntaxException e) {
            throw json.wrong("an address");
        }
    }

    private static Map<String, String> options(ResourceJson json) {
        Map<String, String> options = new TreeMap<>();
        json.object().forEachEntry((name, value) -> {
            if (value.isString())
                options.put(name, value.stringValue());
        });
        return options;
    }
}
