package dev.toolfleet.worker.guard;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds text that looks like a secret: keys and tokens of well-known services, bearer tokens, JSON Web Tokens, private
/// keys, passwords in URLs and connection strings. Pure.
///
/// **Why.** It takes linear time: a shape is searched only where a fixed text stands, none can begin inside the text
/// that another attempt of it has read, and quantifiers are possessive or bounded.
final class SecretShapes {
    /// Characters before a parameter in which its address or server is searched.
    private static final int CONNECTION = 500;

    /// @param trigger occurs in every text of this shape
    /// @param pattern whose first group, or all of it if it has none, is the secret
    /// @param signs of the trigger
    /// @param anyCase then the trigger is in lower case
    private record Shape(String trigger, Signs signs, Pattern pattern, boolean anyCase) {
        Shape(String trigger, String pattern) {
            this(trigger, Signs.of(trigger), Pattern.compile(pattern), pattern.startsWith("(?i)"));
        }
    }

    private static final List<Shape> SHAPES = List.of(
            new Shape("eyJ",
                    "(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\\.eyJ[A-Za-z0-9_-]{4,}+\\.[A-Za-z0-9_-]*+"),
            new Shape("sk-", "(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,100}+\\d)[A-Za-z0-9_-]{20,}+"),
            new Shape("_live_", "(?<![A-Za-z0-9_])[srp]k_live_[A-Za-z0-9]{16,}+"),
            new Shape("_test_", "(?<![A-Za-z0-9_])[sr]k_test_[A-Za-z0-9]{16,}+"),
            new Shape("whsec_", "(?<![A-Za-z0-9_])whsec_[A-Za-z0-9+/]{16,}+"),
            new Shape("xox", "(?<![A-Za-z0-9-])xox[abceoprs]-[A-Za-z0-9-]{10,}+"),
            new Shape("xapp-", "(?<![A-Za-z0-9-])xapp-[A-Za-z0-9-]{20,}+"),
            new Shape("hooks.slack.com/", "(?i)hooks\\.slack\\.com/services/([A-Za-z0-9_/]{20,}+)"),
            new Shape("gh", "(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{30,}+"),
            new Shape("github_pat_", "(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{20,}+"),
            new Shape("glpat-", "(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,}+"),
            new Shape("npm_", "(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
            new Shape("pypi-", "(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,}+"),
            new Shape("hf_", "(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}+"),
            new Shape("AKIA", "(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}(?![A-Za-z0-9])"),
            new Shape("ASIA", "(?<![A-Za-z0-9])ASIA[0-9A-Z]{16}(?![A-Za-z0-9])"),
            new Shape("aws_secret", "(?i)aws_secret_access_key[\"']?\\s{0,9}+[:=]\\s{0,9}+[\"']?([A-Za-z0-9/+]{40})"),
            new Shape("AIza", "(?<![A-Za-z0-9_-])AIza[0-9A-Za-z_-]{35}"),
            new Shape("ya29.", "(?<![A-Za-z0-9_-])ya29\\.[A-Za-z0-9_-]{20,}+"),
            new Shape("SG.", "(?<![A-Za-z0-9_-])SG\\.[A-Za-z0-9_-]{16,}+\\.[A-Za-z0-9_-]{16,}+"),
            new Shape("dop_v1_", "(?<![A-Za-z0-9_])dop_v1_[a-f0-9]{64}"),
            new Shape(":AA", "(?<![A-Za-z0-9])\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
            new Shape("bearer ",
                    "(?i)(?<![A-Za-z])bearer {1,4}+(?=[A-Za-z._~+/=-]{0,200}+\\d)([A-Za-z0-9._~+/=-]{16,}+)"),
            new Shape("basic ",
                    "(?i)(?<![A-Za-z])basic {1,4}+(?=[A-Za-z+/]{0,200}+[0-9=])([A-Za-z0-9+/]{12,}+={0,2}+)"),
            new Shape("://",
                    "://[^/\\s:@\"'<>]{0,200}+:(?!(?:password|passwd|pass|pwd|secret|token|x++|\\*++)@)(?![$%{\\[])"
                            + "([^/\\s@\"'<>]{1,200}+)@"));

    private static final String NAMES = "password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?key|client[_-]?secret|"
            + "private[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token";
    private static final Pattern PARAMETER = Pattern
            .compile("(?i)[?&;]\\s{0,3}+[a-z0-9_.-]{0,30}(?:" + NAMES + "|sig|signature|AccountKey|SharedAccessKey)"
                    + "\\s?+=\\s?+([^\\s&;\"'<>)]{1,1000}+)");
    private static final Pattern CONNECTED = Pattern
            .compile("(?i)://|jdbc:|(?:server|host|data source|user id|uid|endpoint|AccountName)\\s?+=");
    /// Assignments in prose. After a colon a word of letters alone is prose: `password: must be longer`.
    private static final Pattern ASSIGNMENT = Pattern
            .compile("(?i)(?:(?:" + NAMES + "|token)[\"']?+\\s{0,3}+=\\s{0,3}+|(?:"
                    + NAMES + ")[\"']?+\\s{0,3}+:\\s{0,3}+(?=[\"']|[a-z]{0,40}+[^a-z\\s]))"
                    + "(?:\"([^\"]{1,1000}+)\"|'([^']{1,1000}+)'|([^\\s\"',;&)}\\]]{1,1000}+))");

    private SecretShapes() {}

    static void find(String text, Spans spans) {
        Signs signs = Signs.of(text);
        Signs lower = signs.inLowerCase();
        for (Shape shape : SHAPES) {
            if (isThere(shape, text, signs, lower))
                add(shape.pattern().matcher(text), spans);
        }
        PrivateKeys.find(text, spans);
        if (text.indexOf('=') >= 0)
            parameters(text, spans);
    }

    /// True if the trigger may occur. Few texts have all signs of a trigger, and a text without them is not searched
    /// for it.
    private static boolean isThere(Shape shape, String text, Signs signs, Signs lower) {
        if (signs.cover(shape.signs()) && text.contains(shape.trigger()))
            return true;
        return shape.anyCase() && lower.cover(shape.signs())
                && text.toLowerCase(Locale.ROOT).contains(shape.trigger());
    }

    /// Finds secrets in an error's text, which drivers and clients write and people read as prose: `password=…`
    /// anywhere.
    static void findInProse(String text, Spans spans) {
        if (text.indexOf('=') >= 0 || text.indexOf(':') >= 0)
            add(ASSIGNMENT.matcher(text), spans);
    }

    private static void add(Matcher matcher, Spans spans) {
        while (matcher.find()) {
            boolean grouped = false;
            for (int group = 1; group <= matcher.groupCount(); group++) {
                if (matcher.start(group) >= 0) {
                    spans.add(matcher.start(group), matcher.end(group));
                    grouped = true;
                }
            }
            if (!grouped)
                spans.add(matcher.start(), matcher.end());
        }
    }

    /// Finds parameters. A parameter is a secret in an address or a connection string; elsewhere it may be source code.
    private static void parameters(String text, Spans spans) {
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            String before = text.substring(Math.max(0, matcher.start() - CONNECTION), matcher.start());
            String line = before.substring(before.lastIndexOf('\n') + 1);
            if (CONNECTED.matcher(line).find())
                spans.add(matcher.start(1), matcher.end(1));
        }
    }
}
