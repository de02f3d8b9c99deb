package dev.toolfleet.worker.guard;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jsoup.parser.Tag;

/// Distinguishes a page, or a piece of one, from a text that only has angle brackets in it: source code, JSON, XML.
/// Read as HTML, such a text would lose parts without a sign. Pure; takes linear time.
final class Markup {
    private static final Pattern START = Pattern.compile("<(/?)([A-Za-z][A-Za-z0-9:._-]*)|<[!?/]");
    private static final Pattern DOCUMENT = Pattern.compile(
            "(?:<\\?xml[^>]{0,200}>\\s*)?<!doctype\\s+html\\b|<(?:html|head|body)[\\s>]",
            Pattern.CASE_INSENSITIVE);
    /// Elements that stand alone, and those whose end tag HTML lets one omit.
    private static final Set<String> UNCLOSED = Set.of("area", "base", "br", "col", "embed", "hr", "img", "input",
            "link", "meta", "param", "source", "track", "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead",
            "tbody",
            "tfoot", "option", "colgroup");

    private Markup() {}

    /// True if a text can begin a tag.
    static boolean mayBeginTag(String text) {
        return text.indexOf('<') >= 0 && START.matcher(text).find();
    }

    /// True if a text is HTML: a document by its first words, or a piece in which every tag is one of HTML's and every
    /// tag that has an end is ended.
    static boolean isHtml(String text) {
        String head = text.stripLeading();
        if (head.startsWith("\ufeff"))
            head = head.substring(1).stripLeading();
        if (DOCUMENT.matcher(head).lookingAt())
            return true;
        return !head.startsWith("{") && !head.startsWith("[") && !head.startsWith("<?") && isPiece(head);
    }

    private static boolean isPiece(String text) {
        Map<String, Integer> open = new HashMap<>();
        Matcher tag = START.matcher(text);
        while (tag.find()) {
            if (tag.group(2) == null) {
                if (!text.startsWith("<!--", tag.start()))
                    return false;
                continue;
            }
            String name = tag.group(2).toLowerCase(Locale.ROOT);
            if (!Tag.isKnownTag(name))
                return false;
            if (!UNCLOSED.contains(name))
                open.merge(name, tag.group(1).isEmpty() ? 1 : -1, Integer::sum);
        }
        return open.values().stream().allMatch(count -> count == 0);
    }

    /// Returns the text with nothing in it that could begin a tag; all of it can still be read.
    static String written(String text) {
        return START.matcher(text).replaceAll(tag -> Matcher.quoteReplacement("&lt;" + tag.group().substring(1)));
    }
}
