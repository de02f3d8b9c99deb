package dev.toolfleet.worker.guard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

import dev.toolfleet.json.Json;
import tools.jackson.databind.node.StringNode;

/// Finder of secrets that are known by value. It finds them unchanged and in the forms in which they travel: escaped
/// for JSON, URLs and markup, in base64, whatever stands around them there, and in hexadecimal, both also as tools wrap
/// them into lines and groups. Immutable, except for the tokens.
final class KnownSecrets {
    /// Least length of a secret; shorter values would be found in unrelated text.
    static final int SHORTEST = 8;
    private static final int FEW_LETTERS = 3;
    private static final int SHORTEST_LINE = 24;
    private static final int SHORTEST_BASE64 = 10;

    private final TextFinder finder;
    /// Finds the base64 and hexadecimal forms, which tools wrap.
    private final TextFinder encoded;
    private final boolean none;
    private final IssuedTokens tokens;

    private KnownSecrets(TextFinder finder, TextFinder encoded, boolean none, IssuedTokens tokens) {
        this.finder = finder;
        this.encoded = encoded;
        this.none = none;
        this.tokens = tokens;
    }

    /// Creates a finder of these values. A value that is too short or too monotonous to be recognized is left out.
    static KnownSecrets of(Collection<String> values) {
        Set<String> plain = new LinkedHashSet<>();
        Set<String> encoded = new LinkedHashSet<>();
        for (String value : values)
            addAll(value, plain, encoded);
        Set<String> all = new LinkedHashSet<>(plain);
        all.addAll(encoded);
        return new KnownSecrets(TextFinder.of(all), TextFinder.of(encoded), all.isEmpty(), new IssuedTokens());
    }

    void find(String text, Spans spans) {
        tokens.find(text, spans);
        if (none)
            return;
        finder.find(text, spans);
        Unwrapped unwrapped = Unwrapped.of(text);
        if (unwrapped != null)
            unwrapped.find(encoded, spans);
    }

    /// Returns the forms in which a value travels.
    static Set<String> forms(String value) {
        Set<String> forms = new LinkedHashSet<>();
        add(value.strip(), forms, forms);
        return forms;
    }

    /// Returns the same with tokens that calls got.
    KnownSecrets with(IssuedTokens more) {
        return new KnownSecrets(finder, encoded, none, more);
    }

    private static void addAll(String value, Set<String> plain, Set<String> encoded) {
        add(value.strip(), plain, encoded);
        // Each line of a key in PEM form is found, however the lines were joined.
        if (value.strip().indexOf('\n') >= 0)
            value.lines().map(String::strip).filter(line -> line.length() >= SHORTEST_LINE && !line.startsWith("-----"))
                    .forEach(line -> add(line, plain, encoded));
    }

    private static void add(String secret, Set<String> forms, Set<String> encoded) {
        if (secret.length() < SHORTEST || secret.chars().distinct().count() <= FEW_LETTERS)
            return;
        forms.add(secret);
        String json = Json.MAPPER.writeValueAsString(StringNode.valueOf(secret));
        forms.add(json.substring(1, json.length() - 1));
        forms.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
        forms.add(secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;"));
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        forms.add(url);
        forms.add(url.replace("+", "%20"));
        forms.add(lowerEscapes(url));
        forms.add(lowerEscapes(url.replace("+", "%20")));
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        encoded.add(HexFormat.of().formatHex(bytes));
        encoded.add(HexFormat.of().withUpperCase().formatHex(bytes));
        for (int offset = 0; offset < 3; offset++) {
            addBase64(bytes, offset, Base64.getEncoder(), encoded);
            addBase64(bytes, offset, Base64.getUrlEncoder(), encoded);
        }
    }

    /// Adds the characters that the secret alone decides, if it begins at this place of a group of three bytes.
    private static void addBase64(byte[] secret, int offset, Base64.Encoder encoder, Set<String> forms) {
        byte[] shifted = new byte[offset + secret.length];
        System.arraycopy(secret, 0, shifted, offset, secret.length);
        String encoded = encoder.withoutPadding().encodeToString(shifted);
        int whole = shifted.length * 8 / 6;
        String own = encoded.substring(offset == 0 ? 0 : offset + 1, whole);
        if (own.length() >= SHORTEST_BASE64)
            forms.add(own);
    }

    private static String lowerEscapes(String url) {
        StringBuilder lower = new StringBuilder(url);
        for (int i = 0; i + 2 < lower.length(); i++) {
            if (lower.charAt(i) == '%')
                lower.replace(i + 1, i + 3, lower.substring(i + 1, i + 3).toLowerCase(Locale.ROOT));
        }
        return lower.toString();
    }
}
