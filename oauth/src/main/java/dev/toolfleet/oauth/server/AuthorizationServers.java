package dev.toolfleet.oauth.server;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.Request;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationRequest;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationResponse;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.device.DeviceCode;
import com.nimbusds.oauth2.sdk.device.DeviceCodeGrant;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.AccessToken;
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
    /// The longest time of a request, with its answer.
    private static final Duration MOST = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(500);
    /// RFC 6749 5.2, at a length that a page can show.
    private static final Pattern ERROR = Pattern.compile("[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]{1,64}");
    private static final Pattern SCOPES = Pattern.compile("[ ,]+");
    private static final int NO_CONTENT = 204;
    private static final int SERVER_ERROR = 500;
    private static final int TOO_MANY = 429;
    /// RFC 8628 3.2.
    private static final long INTERVAL = 5;

    private final Map<String, String> environment;
    private final Optional<URI> publicUrl;
    private final HTTPRequestSender sender;
    private final PersonInquiry persons;

    /// @param environment with the clients' secrets, as [System#getenv]
    /// @param publicUrl the gateway's address for browsers
    public AuthorizationServers(Map<String, String> environment, Optional<URI> publicUrl) {
        this(environment, publicUrl, MOST, PAUSE);
    }

    AuthorizationServers(Map<String, String> environment, Optional<URI> publicUrl, Duration most, Duration pause) {
        this.environment = Map.copyOf(environment);
        this.publicUrl = publicUrl;
        this.sender = new BoundedSender(most);
        this.persons = new PersonInquiry(sender, pause);
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
        Optional<ServerReply> failure = failure(app, response);
        if (failure.isPresent())
            return failure.get();
        TokenResponse parsed = TokenResponse.parse(response);
        if (!parsed.indicatesSuccess())
            return refused("", null);
        AccessToken access = parsed.toSuccessResponse().getTokens().getAccessToken();
        RefreshToken refresh = parsed.toSuccessResponse().getTokens().getRefreshToken();
        Scope scopes = access.getScope();
        String person = null;
        if (app.subjectMode() == SubjectMode.USER && app.endpoints().userInfo().isPresent()
                && request.kind() != ServerRequest.Kind.REFRESH) {
            try {
                person = persons.person(app.endpoints().userInfo().get(), access, app.endpoints().userInfoClaim())
                        .orElse(null);
            } catch (IOException e) {
                // The code is used, so that the whole request must not be made again.
                return new ServerReply.Refused("unavailable", "endpoints.userInfoUrl cannot be reached");
            }
            if (person == null)
                return new ServerReply.Refused("subject_mismatch",
                        "endpoints.userInfoUrl does not name the person by '" + app.endpoints().userInfoClaim() + "'");
        }
        return new ServerReply.Tokens(access.getValue(), access.getType().getValue(),
                access.getLifetime() > 0 ? access.getLifetime() : null, refresh == null ? null : refresh.getValue(),
                scopes == null ? null : split(scopes.toStringList()), person);
    }

    /// Some servers put commas between scopes (GitHub).
    private static List<String> split(List<String> scopes) {
        return scopes.stream().flatMap(SCOPES::splitAsStream).filter(scope -> !scope.isEmpty()).toList();
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

    private ServerReply begin(OAuthAppSpec app, Client client, ServerRequest request)
            throws IOException, ParseException {
        URI endpoint = app.endpoints().deviceAuthorization().orElseThrow();
        Scope scope = new Scope(request.scopes().toArray(String[]::new));
        DeviceAuthorizationRequest.Builder builder = client.secret().isPresent()
                ? new DeviceAuthorizationRequest.Builder(new ClientSecretBasic(client.id(), client.secret().get()))
                : new DeviceAuthorizationRequest.Builder(client.id());
        HTTPResponse response = sent(builder.scope(scope).endpointURI(endpoint).build());
        Optional<ServerReply> failure = failure(app, response);
        if (failure.isPresent())
            return failure.get();
        DeviceAuthorizationResponse parsed = DeviceAuthorizationResponse.parse(response);
        if (!parsed.indicatesSuccess())
            return refused("", null);
        DeviceAuthorizationSuccessResponse begun = parsed.toSuccessResponse();
        URI address = begun.getVerificationURIComplete() == null
                ? begun.getVerificationURI()
                : begun.getVerificationURIComplete();
        return new ServerReply.DeviceCode(begun.getDeviceCode().getValue(), begun.getUserCode().getValue(),
                address.toString(), begun.getLifetime(), begun.getInterval() > 0 ? begun.getInterval() : INTERVAL);
    }

    private ServerReply revoke(OAuthAppSpec app, Client client, ServerRequest request) throws IOException {
        URI endpoint = app.endpoints().revoke().orElseThrow(() -> new IllegalArgumentException("no revokeUrl"));
        HTTPRequest sent = new HTTPRequest(HTTPRequest.Method.POST, endpoint);
        sent.setHeader("Content-Type", "application/x-www-form-urlencoded");
        sent.setAccept("application/json");
        // No token_type_hint: it is an access token where there is no refresh token.
        String token = "token=" + encoded(requireNonNull(request.secret(), "secret"));
        client.secret().ifPresent(secret -> new ClientSecretBasic(client.id(), secret).applyTo(sent));
        sent.setBody(client.secret().isPresent() ? token : token + "&client_id=" + encoded(client.id().getValue()));
        HTTPResponse response = sent.send(sender);
        int status = response.getStatusCode();
        return status == HTTPResponse.SC_OK || status == NO_CONTENT
                ? new ServerReply.Revoked()
                : failure(app, response).orElseGet(() -> new ServerReply.Refused("invalid_response",
                        "it answers " + status));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// Returns the reply to an answer that is an error; empty for any other. Some servers answer errors with status 200
    /// (GitHub). An error of 5xx is not one of the protocol: proxies write it, too.
    private static Optional<ServerReply> failure(OAuthAppSpec app, HTTPResponse response) {
        Optional<ServerReply> error = error(response.getBody());
        boolean usable = response.getStatusCode() == TOO_MANY
                ? error.isPresent() && error.get() instanceof ServerReply.NotYet
                : !isBroken(response);
        return usable
                ? error
                : Optional.of(new ServerReply.Unavailable("the authorization server of '" + app.provider()
                        + "' answers " + response.getStatusCode()));
    }

    private static Optional<ServerReply> error(@Nullable String body) {
        try {
            JsonNode json = body == null ? Json.MAPPER.nullNode() : Json.MAPPER.readTree(body);
            String code = json.path("error").asString("");
            return code.isBlank() || json.has("access_token")
                    ? Optional.empty()
                    : Optional.of(refused(code, json.path("error_description").asString("")));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static ServerReply refused(String code, @Nullable String description) {
        return switch (code) {
            case "authorization_pending" -> new ServerReply.NotYet(false);
            case "slow_down" -> new ServerReply.NotYet(true);
            case "temporarily_unavailable", "server_error" ->
                new ServerReply.Unavailable("the authorization server answers " + code);
            // GitHub's word for it.
            case "bad_refresh_token" -> new ServerReply.Refused("invalid_grant", description);
            default -> new ServerReply.Refused(ERROR.matcher(code).matches() ? code : "invalid_response",
                    description == null || description.isBlank() ? null : description);
        };
    }

    static boolean isBroken(HTTPResponse response) {
        return response.getStatusCode() >= SERVER_ERROR || response.getStatusCode() == TOO_MANY;
    }

    private HTTPResponse sent(Request request) throws IOException {
        HTTPRequest sent = request.toHTTPRequest();
        sent.setAccept("application/json");
        return sent.send(sender);
    }
}
