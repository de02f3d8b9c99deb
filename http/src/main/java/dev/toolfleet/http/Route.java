package dev.toolfleet.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;

/// Some paths and their handlers.
public interface Route {
    /// Adds the paths.
    void addTo(RoutesConfig routes);

    /// Adds a path for reading.
    static void read(RoutesConfig routes, String path, Handler handler) {
        routes.get(path, handler);
        routes.head(path, handler);
    }
}
