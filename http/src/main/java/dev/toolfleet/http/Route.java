package dev.toolfleet.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;

/// Some paths and what answers there.
public interface Route {
    /// Adds the paths.
    void addTo(RoutesConfig routes);

    /// A path that can be read.
    static void read(RoutesConfig routes, String path, Handler handler) {
        routes.get(path, handler);
        routes.head(path, handler);
    }
}
