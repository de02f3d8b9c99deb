package dev.toolfleet.console.page;

import java.nio.charset.StandardCharsets;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.javalin.http.Context;

/// Templates of the pages, which the build has compiled. Each has one parameter, its model.
final class Templates {
    private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(null, ContentType.Html, null,
            Templates.class.getPackageName());

    private Templates() {}

    /// Returns the HTML of a part of a page.
    static String part(String name, Object model) {
        StringOutput out = new StringOutput();
        ENGINE.render(name + ".jte", model, out);
        return out.toString();
    }

    /// Answers with a page.
    static void page(Context ctx, String name, Object model) {
        ctx.contentType("text/html; charset=utf-8").result(part(name, model).getBytes(StandardCharsets.UTF_8));
    }
}
