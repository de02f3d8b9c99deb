package dev.toolfleet.worker.guard;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds what looks like a secret: keys and tokens of well-known services, bearer tokens, JSON Web Tokens, private keys,
/// passwords in URLs and connection strings.
///
/// Linear: a shape is searched only where a fixed text stands, none can begin inside what another attempt of it has
/// read, and quantifiers are possessive or bounded. Pure.
final class SecretShapes {
    private static final String KEY_BEGIN = "-----BEGIN ";
    private static final String KEY_END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LONGEST_LABEL = 60;
    /// What may stand between the label and the body: line ends in all their spellings, headers of an encrypted key.
    private static final int PREAMBLE = 300;
    private static final int FIRST_LINE = 40;
    /// How far before a parameter the address or the server is looked for that it belongs to.
    private static final int CONNECTION = 500;

    /// @param trigger stands in every text of this shape
    /// @param pattern whose first group, or all of it when it has none, is the secret
    private record Shape(String trigger, Pattern pattern) {
        Shape(String trigger, String pattern) {
            this(trigger, Pattern.compile(pattern));
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
            new Shape("hooks.slack.com/", "hooks\\.slack\\.com/services/([A-Za-z0-9_/]{20,}+)"),
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
            new Shape("earer ",
                    "(?<![A-Za-z])[Bb]earer {1,4}+(?=[A-Za-z._~+/=-]{0,200}+\\d)([A-Za-z0-9._~+/=-]{16,}+)"),
            new Shape("asic ", "(?<![A-Za-z])[Bb]asic {1,4}+(?=[A-Za-z+/]{0,200}+[0-9=])([A-Za-z0-9+/]{12,}+={0,2}+)"),
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
    /// With a colon a word of letters alone is prose: `password: must be longer`.
    private static final Pattern ASSIGNMENT = Pattern
            .compile("(?i)(?:(?:" + NAMES + "|token)[\"']?+\\s{0,3}+=\\s{0,3}+|(?:"
                    + NAMES + ")[\"']?+\\s{0,3}+:\\s{0,3}+(?=[\"']|[a-z]{0,40}+[^a-z\\s]))"
                    + "(?:\"([^\"]{1,1000}+)\"|'([^']{1,1000}+)'|([^\\s\"',;&)}\\]]{1,1000}+))");

    private SecretShapes() {}

    static void find(String text, Spans spans) {
        for (Shape shape : SHAPES) {
            if (text.contains(shape.trigger()))
                add(shape.pattern().matcher(text), spans);
        }
        privateKeys(text, spans);
        if (text.indexOf('=') >= 0)
            parameters(text, spans);
    }

    /// What an error's text says too, which is written by drivers and clients and read as prose: `password=…` anywhere.
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

    /// A parameter is a secret where it stands in an address or a connection string; elsewhere it may be source code.
    private static void parameters(String text, Spans spans) {
        Matcher matcher = PARAMETER.matcher(text);
        while (matcher.find()) {
            String before = text.substring(Math.max(0, matcher.start() - CONNECTION), matcher.start());
            String line = before.substring(before.lastIndexOf('\n') + 1);
            if (CONNECTED.matcher(line).find())
                spans.add(matcher.start(1), matcher.end(1));
        }
    }

    /// From the first line to the last; a key whose end is missing was cut, and goes as far as its letters do.
    private static void privateKeys(String text, Spans spans) {
        int begin = text.indexOf(KEY_BEGIN);
        while (begin >= 0) {
            int next = begin + KEY_BEGIN.length();
            int labelEnd = text.indexOf(DASHES, next);
            if (labelEnd < 0)
                return;
            int body = labelEnd + DASHES.length();
            if (labelEnd - begin < LONGEST_LABEL && text.substring(begin, labelEnd).endsWith("PRIVATE KEY")
                    && hasBody(text, body)) {
                next = keyEnd(text, body);
                spans.add(begin, next);
            }
            begin = text.indexOf(KEY_BEGIN, next);
        }
    }

    /// Whether a first line follows; source code that speaks of keys has none.
    private static boolean hasBody(String text, int from) {
        int run = 0;
        for (int i = from; i < text.length() && i < from + PREAMBLE && run < FIRST_LINE; i++)
            run = isBase64(text.charAt(i)) ? run + 1 : 0;
        return run == FIRST_LINE;
    }

    private static boolean isBase64(char c) {
        return c == '+' || c == '/' || (c < 0x80 && Character.isLetterOrDigit(c));
    }

    private static int keyEnd(String text, int body) {
        int end = text.indexOf(KEY_END, body);
        int close = end < 0 ? -1 : text.indexOf(DASHES, end + KEY_END.length());
        if (close >= 0)
            return close + DASHES.length();
        int at = body;
        while (at < text.length() && (isBase64(text.charAt(at)) || "=\\ \t\r\n:,.-".indexOf(text.charAt(at)) >= 0))
            at++;
        return at;
    }
}
