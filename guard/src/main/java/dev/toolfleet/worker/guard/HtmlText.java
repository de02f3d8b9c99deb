package dev.toolfleet.worker.guard;

import java.util.Locale;
import java.util.Set;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.safety.Cleaner;
import org.jsoup.safety.Safelist;
import org.jsoup.select.NodeVisitor;

/// Takes markup out of a page, or a piece of one, by a browser's reading: visible text stays, code and loaded content
/// go. Pure.
final class HtmlText {
    /// Elements that a browser does not show.
    private static final Set<String> UNSEEN = Set.of("script", "style", "template", "noscript", "iframe", "object",
            "embed", "svg", "math", "textarea", "select", "xmp", "noembed", "noframes", "plaintext");
    private static final Safelist HARMLESS = Safelist.relaxed().removeTags("img");

    private HtmlText() {}

    /// @param allowed whether harmless markup stays: text formats, lists, tables and links
    static String read(String page, boolean allowed) {
        return allowed ? harmless(page) : shown(page);
    }

    private static String harmless(String text) {
        Document dirty = Jsoup.parseBodyFragment(text);
        Document clean = new Cleaner(HARMLESS).clean(dirty);
        clean.outputSettings().prettyPrint(false);
        return clean.body().html();
    }

    /// Returns the visible text. It holds nothing that could begin a tag, even if the text showed one.
    private static String shown(String text) {
        StringBuilder out = new StringBuilder(text.length());
        Jsoup.parse(text).traverse(new NodeVisitor() {
            private int unseen;

            @Override
            public void head(Node node, int depth) {
                if (node instanceof Element element) {
                    if (isUnseen(element))
                        unseen++;
                    else if (unseen == 0)
                        separate(element, out);
                } else if (unseen == 0 && node instanceof TextNode piece) {
                    add(piece.getWholeText(), out);
                }
            }

            @Override
            public void tail(Node node, int depth) {
                if (node instanceof Element element) {
                    if (isUnseen(element))
                        unseen--;
                    else if (unseen == 0 && element.isBlock())
                        line(out);
                }
            }
        });
        return Markup.written(out.toString().strip());
    }

    private static boolean isUnseen(Element element) {
        return UNSEEN.contains(element.normalName().toLowerCase(Locale.ROOT));
    }

    private static void separate(Element element, StringBuilder out) {
        String name = element.normalName();
        if (name.equals("br"))
            out.append('\n');
        else if (name.equals("td") || name.equals("th"))
            blank(out);
        else if (element.isBlock())
            line(out);
    }

    private static void line(StringBuilder out) {
        if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n')
            out.append('\n');
    }

    private static void blank(StringBuilder out) {
        if (!out.isEmpty() && !Character.isWhitespace(out.charAt(out.length() - 1)))
            out.append(' ');
    }

    /// Adds a text node. A browser does not show indentation between elements.
    private static void add(String piece, StringBuilder out) {
        if (!piece.isBlank())
            out.append(piece);
        else if (piece.indexOf('\n') < 0)
            blank(out);
    }
}
