package dev.toolfleet.oauth.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Inquiry for the person of an access token, at `endpoints.userInfoUrl`. The code of the token has been used by then, so
/// that only this request is repeated.
///
/// @param pause the pause before the second attempt; the one before the third is twice as long
record PersonInquiry(HTTPRequestSender sender, Duration pause) {
    private static final int ATTEMPTS = 3;

    /// Returns the person's id.
    ///
    /// @return empty when the server names none
    /// @throws IOException when the server cannot be reached or is broken, three times
    Optional<String> person(URI userInfo, AccessToken token, String claim) throws IOException {
        for (int attempt = 1;; attempt++) {
            try {
                return once(userInfo, token, claim);
            } catch (IOException e) {
                if (attempt == ATTEMPTS)
                    throw e;
                await(pause.multipliedBy(attempt));
            }
        }
    }

    private Optional<String> once(URI userInfo, AccessToken token, String claim) throws IOException {
        HTTPRequest request = new HTTPRequest(HTTPRequest.Method.GET, userInfo);
        request.setAuthorization(new BearerAccessToken(token.getValue()).toAuthorizationHeader());
        request.setAccept("application/json");
        HTTPResponse response = request.send(sender);
        if (AuthorizationServers.isBroken(response))
            throw new IOException("it answers " + response.getStatusCode());
        if (!response.indicatesSuccess() || response.getBody() == null)
            return Optional.empty();
        try {
            JsonNode id = Json.MAPPER.readTree(response.getBody()).path(claim);
            return Optional.of(id).filter(JsonNode::isValueNode).filter(value -> !value.isNull())
                    .map(value -> value.asString("")).filter(value -> !value.isBlank());
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static void await(Duration pause) throws IOException {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
