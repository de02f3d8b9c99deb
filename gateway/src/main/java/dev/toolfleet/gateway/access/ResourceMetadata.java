package dev.toolfleet.gateway.access;

import java.util.Arrays;
import java.util.Collection;

import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ObjectNode;

/// Metadata of the gateway as a protected resource (RFC 9728): where a client gets a token, for which audience, with which
/// scopes. Needs no token.
///
/// @param publicUrl of the gateway, without `/` at its end
/// @param issuers that its principals have
record ResourceMetadata(String publicUrl, Collection<String> issuers) implements Route {
    private static final String PATH = "/.well-known/oauth-protected-resource";

    /// True for a path of this route.
    static boolean isPath(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    /// The address of the metadata of the whole gateway. That of a resource with a path has the path behind the
    /// well-known one (RFC 9728, 3.1).
    static String address(String publicUrl) {
        int host = publicUrl.indexOf("://") + 3;
        int path = publicUrl.indexOf('/', host);
        return path < 0
                ? publicUrl + PATH
                : publicUrl.substring(0, path) + PATH + publicUrl.substring(path);
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH, ctx -> answer(ctx, publicUrl));
        Route.read(routes, PATH + "/<path>", ctx -> answer(ctx, resource(ctx)));
    }

    /// The resource whose metadata has this address: the part of the path that the public URL has is not there twice.
    private String resource(Context ctx) {
        String asked = ctx.req().getRequestURI().substring(PATH.length());
        int path = publicUrl.indexOf('/', publicUrl.indexOf("://") + 3);
        String own = path < 0 ? "" : publicUrl.substring(path);
        return publicUrl + (asked.equals(own) || asked.startsWith(own + "/") ? asked.substring(own.length()) : asked);
    }

    private void answer(Context ctx, String resource) {
        Answers.allowParameters(ctx);
        ObjectNode json = Json.MAPPER.createObjectNode().put("resource", resource);
        json.set("authorization_servers", Json.MAPPER.valueToTree(issuers));
        json.set("scopes_supported", Json.MAPPER.valueToTree(Arrays.stream(Scope.values()).map(Scope::text).toList()));
        json.putArray("bearer_methods_supported").add("header");
        json.put("resource_name", "Toolfleet gateway");
        Answers.validated(ctx, json);
    }
}
