package dev.toolfleet.console.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.gateway.access.BrowserSessions;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Digests;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;

/// Scripts and styles of the pages. Their addresses hold their digests, so browsers keep them for good. They need no
/// sign-in, because the sign-in page uses them.
public final class Assets implements Route {
    private static final String PATH = BrowserSessions.PAGES + "/assets/";
    private static final String FOR_GOOD = "public, max-age=31536000, immutable";
    private static final int VERSION = 12;
    private static final Map<String, Asset> ALL = read(Map.of(
            "console.css", "text/css; charset=utf-8",
            "console.js", "text/javascript; charset=utf-8",
            "htmx-4.0.1.min.js", "text/javascript; charset=utf-8",
            "hx-sse-4.0.1.min.js", "text/javascript; charset=utf-8",
            "uplot-1.6.32.min.js", "text/javascript; charset=utf-8",
            "uplot-1.6.32.min.css", "text/css; charset=utf-8",
            "icon.svg", "image/svg+xml"));

    @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
    private record Asset(String type, String version, byte[] bytes) {}

    private static Map<String, Asset> read(Map<String, String> types) {
        Map<String, Asset> assets = new LinkedHashMap<>();
        types.forEach((name, type) -> {
            try (InputStream in = Assets.class.getResourceAsStream(name)) {
                if (in == null)
                    throw new IllegalStateException("the asset " + name + " is missing");
                byte[] bytes = in.readAllBytes();
                String digest = Digests.sha256(bytes);
                assets.put(name, new Asset(type, digest.substring(digest.length() - VERSION), bytes));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return assets;
    }

    /// Returns the address of an asset.
    public static String url(String name) {
        return PATH + name + "?v=" + asset(name).version();
    }

    private static Asset asset(String name) {
        Asset asset = ALL.get(name);
        if (asset == null)
            throw new NotFoundResponse("no such asset");
        return asset;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH + "{name}", Assets::send);
    }

    private static void send(Context ctx) {
        Asset asset = asset(ctx.pathParam("name"));
        ctx.header("Cache-Control", FOR_GOOD).contentType(asset.type()).result(asset.bytes());
    }
}
