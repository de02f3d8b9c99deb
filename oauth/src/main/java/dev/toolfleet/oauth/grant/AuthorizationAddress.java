package dev.toolfleet.oauth.grant;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.toolfleet.bundle.OAuthAppSpec;

/// Addresses of the authorization code flow (RFC 6749 4.1.1, RFC 7636 4.3).
public final class AuthorizationAddress {
    private AuthorizationAddress() {}

    /// @param state the signed state
    static String of(OAuthAppSpec spec, String clientId, URI publicUrl, Order.Authorize order, List<String> scopes,
            String state) {
        Map<String, String> query = new TreeMap<>(spec.options());
        query.put("response_type", "code");
        query.put("client_id", clientId);
        query.put("redirect_uri", redirect(spec, publicUrl).toString());
        query.put("scope", String.join(" ", scopes));
        query.put("state", state);
        query.put("code_challenge",
                CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(order.codeVerifier())).getValue());
        query.put("code_challenge_method", "S256");
        String base = spec.endpoints().authorization().orElseThrow().toString();
        return base + (base.contains("?") ? "&" : "?") + query.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    /// Returns the address to which the server sends browsers back.
    ///
    /// @param publicUrl the gateway's address for browsers
    public static URI redirect(OAuthAppSpec spec, URI publicUrl) {
        String base = publicUrl.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
                + spec.callbackPath().orElse("/"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
