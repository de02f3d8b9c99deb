package dev.toolfleet.bundle.check;

import java.util.regex.Pattern;

import dev.toolfleet.bundle.ProblemCode;

/// Finds secrets in the file itself: by the name of their field, or by their shape. Never prints one.
final class LiteralSecrets {
    private static final Pattern SECRET_FIELD = Pattern.compile(
            "(?i)(.*[_-])?(password|passwd|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credentials?)"
                    + "|.*[a-z](Password|Secret|Token|ApiKey|PrivateKey|AccessKey|Credentials?)");
    private static final Pattern SECRET_SHAPE = Pattern.compile(
            "-----BEGIN [A-Z ]*PRIVATE KEY-----|\\bsk-[A-Za-z0-9_-]{20,}|\\bxox[abeoprs]-[A-Za-z0-9-]{10,}"
                    + "|\\bgh[pousr]_[A-Za-z0-9]{36}|\\bgithub_pat_[A-Za-z0-9_]{20,}|\\bAKIA[0-9A-Z]{16}\\b|\\bAIza[0-9A-Za-z_-]{35}"
                    + "|\\b\\d{8,10}:[A-Za-z0-9_-]{35}\\b|\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*}|<[^>]*>|\\*+");

    private LiteralSecrets() {}

    static void check(Place spec, Findings findings) {
        walk(spec, "", true, findings);
    }

    static void warn(Place place, Findings findings) {
        findings.warning(ProblemCode.E_CONFIG_LITERAL_SECRET, place,
                place.path() + " holds a secret in plain text. A bundle with one is not applied.",
                "Write valueFrom: {env: NAME}, keep the secret out of the file, and replace it if the file was shared.");
    }

    private static void walk(Place place, String field, boolean byName, Findings findings) {
        place.items().forEach(item -> walk(item, "", byName, findings));
        if (place.node().isObject()) {
            for (String key : place.node().propertyNames()) {
                // A property called token in a schema holds no token; valueFrom names the place of one.
                boolean named = byName && !key.equals("parameters") && !key.equals("valueFrom");
                walk(place.get(key), named ? key : "", named, findings);
            }
        } else if (place.node().isString()) {
            String text = place.node().stringValue();
            boolean literal = text.length() >= 6 && !PLACEHOLDER.matcher(text).matches();
            boolean named = !field.isEmpty() && SECRET_FIELD.matcher(field).matches();
            if ((literal && named) || SECRET_SHAPE.matcher(text).find()) {
                warn(place, findings);
            }
        }
    }
}
