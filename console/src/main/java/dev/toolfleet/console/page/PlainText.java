package dev.toolfleet.console.page;

import io.javalin.http.Context;

/// Answer with a whole text of a tool or a model. No browser takes it for a page.
final class PlainText {
    private PlainText() {}

    /// @param name of the file, of letters, digits and `-`
    static void write(Context ctx, String name, String text) {
        ctx.header("Content-Security-Policy", "default-src 'none'; sandbox")
                .header("Content-Disposition", "inline; filename=\"" + name + ".txt\"")
                .contentType("text/plain; charset=utf-8").result(text);
    }
}
