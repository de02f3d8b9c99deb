package dev.toolfleet.oauth.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.Request;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationRequest;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationResponse;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.device.DeviceCode;
import com.nimbusds.oauth2.sdk.device.DeviceCodeGrant;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import dev.toolfleet.bundle.OAuthAppSpec;
import dev.toolfleet.bundle.OAuthAppSpec.SubjectMode;
import dev.toolfleet.json.Json;
import dev.toolfleet.oauth.grant.AuthorizationAddress;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Client of authorization servers: RFC 6749 (codes, refresh), 7009 (revocation), 7636 (PKCE) and 8628 (device flow).
///
/// **Threads.** Thread-safe. Each request blocks for up to some seconds, on the caller's thread.
public final class AuthorizationServers {
    /// The longest wait for a connection, and for an answer.
    public static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int SERVER_ERROR = 500;
    private static final int TOO_MANY = 429;
    /// RFC 8628 3.2.
    private static final long INTERVAL = 5;

    private final Map<String, String> environment;
    private final Optional<URI> publicUrl;

    /// @param environment with the clients' secrets, as [System#getenv]
    /// @param publicUrl the gateway's address for browsers
    public AuthorizationServers(Map<String, String> environment, Optional<URI> publicUrl) {
        this.environment = Map.copyOf(environment);
        this.publicUrl = publicUrl;
    }

    /// Makes a request of an app.
    public ServerReply send(OAuthAppSpec app, ServerRequest request) {
        Optional<String> id = app.clientId().in(environment);
        if (id.isEmpty())
            return new ServerReply.Unavailable("the clientId of OAuthApp '" + app.name() + "' is "
                    + app.clientId().place() + ", which is not set");
        Optional<String> secret = app.clientSecret().flatMap(value -> value.in(environment));
        if (app.clientSecret().isPresent() && secret.isEmpty())
            return new ServerReply.Unavailable("the clientSecret of OAuthApp '" + app.name() + "' is "
                    + app.clientSecret().get().place() + ", which is not set");
        Client client = new Client(new ClientID(id.get()), secret.map(Secret::new));
        try {
            return switch (request.kind()) {
                case EXCHANGE, REFRESH, DEVICE_POLL -> token(app, client, request);
                case DEVICE_BEGIN -> begin(app, client, request);
                case REVOKE -> revoke(app, client, request);
            };
        } catch (IOException e) {
            return new ServerReply.Unavailable("the authorization server of '" + app.provider()
                    + "' cannot be reached: " + e.getClass().getSimpleName());
        } catch (ParseException | IllegalArgumentException e) {
            // The messages of the parser may quote the answer, and so a token.
            return new ServerReply.Unavailable("the authorization server of '" + app.provider()
                    + "' gave an answer that is none of its protocol");
        }
    }

    private record Client(ClientID id, Optional<Secret> secret) {}

    private ServerReply token(OAuthAppSpec app, Client client, ServerRequest request)
            throws IOException, ParseException {
        AuthorizationGrant grant = grant(app, request);
        // RFC 6749 4.1.3 has no scope; of a refresh it would narrow the grant.
        HTTPResponse response = sent(client.secret().isPresent()
                ? new TokenRequest(app.endpoints().token(), new ClientSecretBasic(client.id(),
                        client.secret().get()), grant, null)
                : new TokenRequest(app.endpoints().token(), client.id(), grant, null));
        if (isBroken(response))
            return broken(app, response);
        TokenResponse parsed = TokenResponse.parse(response);
        if (!parsed.indicatesSuccess())
            return refused(parsed.toErrorResponse().getErrorObject());
        AccessToken access = parsed.toSuccessResponse().getTokens().getAccessToken();
        RefreshToken refresh = parsed.toSuccessResponse().getTokens().getRefreshToken();
        Scope scopes = access.getScope();
        String person = null;
        if (app.subjectMode() == SubjectMode.USER && app.endpoints().userInfo().isPresent()
                && request.kind() != ServerRequest.Kind.REFRESH) {
            person = person(app.endpoints().userInfo().get(), access, app.endpoints().userInfoClaim());
            if (person == null)
                return new ServerReply.Refused("subject_mismatch",
                        "endpoints.userInfoUrl does not name the person by '" + app.endpoints().userInfoClaim() + "'");
        }
        return new ServerReply.Tokens(access.getValue(), access.getType().getValue(),
                access.getLifetime() > 0 ? access.getLifetime() : null, refresh == null ? null : refresh.getValue(),
                scopes == null ? null : scopes.toStringList(), person);
    }

    private AuthorizationGrant grant(OAuthAppSpec app, ServerRequest request) {
        String secret = requireNonNull(request.secret(), "secret");
        return switch (request.kind()) {
            case EXCHANGE -> new AuthorizationCodeGrant(new AuthorizationCode(secret),
                    AuthorizationAddress.redirect(app, publicUrl.orElse(URI.create(""))),
                    new CodeVerifier(requireNonNull(request.codeVerifier(), "codeVerifier")));
            case REFRESH -> new RefreshTokenGrant(new RefreshToken(secret));
            case DEVICE_POLL -> new DeviceCodeGrant(new DeviceCode(secret));
            case REVOKE, DEVICE_BEGIN -> throw new IllegalArgumentException("no grant of " + request.kind());
        };
    }

    private static @Nullable String person(URI userInfo, AccessToken token, String claim) throws IOException {
        HTTPRequest request = new HTTPRequest(HTTPRequest.Method.GET, userInfo);
        request.setAuthorization(new BearerAccessToken(token.getValue()).toAuthorizationHeader());
        HTTPResponse response = sent(request);
        if (!response.indicatesSuccess())
            return null;
        try {
            JsonNode id = Json.MAPPER.readTree(response.getBody()).path(claim);
            return id.isValueNode() && !id.isNull() && !id.asString("").isBlank() ? id.asString() : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static ServerReply begin(OAuthAppSpec app, Client client, ServerRequest request)
            throws IOException, ParseException {
        URI endpoint = app.endpoints().deviceAuthorization().orElseThrow();
        Scope scope = new Scope(request.scopes().toArray(String[]::new));
        DeviceAuthorizationRequest.Builder builder = client.secret().isPresent()
                ? new DeviceAuthorizationRequest.Builder(new ClientSecretBasic(client.id(), client.secret().get()))
                : new DeviceAuthorizationRequest.Builder(client.id());
        HTTPResponse response = sent(builder.scope(scope).endpointURI(endpoint).build());
        if (isBroken(response))
            return broken(app, response);
        DeviceAuthorizationResponse parsed = DeviceAuthorizationResponse.parse(response);
        if (!parsed.indicatesSuccess())
            return refused(parsed.toErrorResponse().getErrorObject());
        DeviceAuthorizationSuccessResponse begun = parsed.toSuccessResponse();
        URI address = begun.getVerificationURIComplete() == null
                ? begun.getVerificationURI()
                : begun.getVerificationURIComplete();
        return new ServerReply.DeviceCode(begun.getDeviceCode().getValue(), begun.getUserCode().getValue(),
                address.toString(), begun.getLifetime(), begun.getInterval() > 0 ? begun.getInterval() : INTERVAL);
    }

    private static ServerReply revoke(OAuthAppSpec app, Client client, ServerRequest request) throws IOException {
        URI endpoint = app.endpoints().revoke().orElseThrow(() -> new IllegalArgumentException("no revokeUrl"));
        RefreshToken token = new RefreshToken(requireNonNull(request.secret(), "secret"));
        HTTPResponse response = sent(client.secret().isPresent()
                ? new TokenRevocationRequest(endpoint, new ClientSecretBasic(client.id(), client.secret().get()),
                        token)
                : new TokenRevocationRequest(endpoint, client.id(), token));
        return isBroken(response) ? broken(app, response) : new ServerReply.Revoked();
    }

    private static ServerReply refused(@Nullable ErrorObject error) {
        String code = error == null || error.getCode() == null ? "invalid_response" : error.getCode();
        return switch (code) {
            case "authorization_pending" -> new ServerReply.NotYet(false);
            case "slow_down" -> new ServerReply.NotYet(true);
            case "temporarily_unavailable", "server_error" ->
                new ServerReply.Unavailable("the authorization server answers " + code);
            default -> new ServerReply.Refused(code, error == null ? null : error.getDescription());
        };
    }

    private static boolean isBroken(HTTPResponse response) {
        return response.getStatusCode() >= SERVER_ERROR || response.getStatusCode() == TOO_MANY;
    }

    private static ServerReply broken(OAuthAppSpec app, HTTPResponse response) {
        return new ServerReply.Unavailable("the authorization server of '" + app.provider() + "' answers "
                + response.getStatusCode());
    }

    private static HTTPResponse sent(Request request) throws IOException {
        return sent(request.toHTTPRequest());
    }

    private static HTTPResponse sent(HTTPRequest request) throws IOException {
        request.setAccept("application/json");
        request.setConnectTimeout((int) TIMEOUT.toMillis());
        request.setReadTimeout((int) TIMEOUT.toMillis());
        // A redirect would carry codes and secrets to another address.
        request.setFollowRedirects(false);
        return request.send();
    }
}
