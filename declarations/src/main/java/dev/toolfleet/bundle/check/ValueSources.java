package dev.toolfleet.bundle.check;

import java.util.Set;

import dev.toolfleet.bundle.ParsedRef;
import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Ref;

/// Checks the places that hold a value or name its source: `{value}`, `{valueFrom: {env}}`, `{valueFrom: {secretRef:
/// {ref, key}}}`.
final class ValueSources {
    private static final String FORM = "Write valueFrom: {env: NAME}, or valueFrom: {secretRef: {ref: Secret/NAME, key: KEY}}.";

    private final Check check;

    private ValueSources(Check check) {
        this.check = check;
    }

    static void check(Place spec, Check check) {
        ValueSources sources = new ValueSources(check);
        switch (spec.resource().kind()) {
            case "Model" -> sources.source(spec.get("apiKey"), true);
            case "OAuthApp" -> {
                sources.source(spec.get("client").get("clientId"), false);
                sources.source(spec.get("client").get("clientSecret"), true);
            }
            case "Connection" -> {
                spec.get("config").fields().forEach(value -> sources.source(value, false));
                spec.get("secrets").fields().forEach(value -> sources.source(value, true));
            }
            default -> {
                // No other kind has such places.
            }
        }
    }

    private void source(Place place, boolean secret) {
        if (!place.present()) {
            return;
        }
        if (!place.node().isObject()) {
            if (secret) {
                LiteralSecrets.warn(place, check.findings());
            } else {
                check.findings().warning(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                        place.path() + " is no value source.", "Write {value: …}, or " + FORM.substring(6));
            }
            return;
        }
        Place value = place.get("value");
        Place from = place.get("valueFrom");
        check.knownFields(place, Set.of("value", "valueFrom"));
        exactlyOne(place, value, from);
        if (secret && value.present()) {
            LiteralSecrets.warn(value, check.findings());
        }
        if (check.shapes().mapping(from)) {
            from(from);
        }
    }

    private void from(Place from) {
        Place env = from.get("env");
        Place secretRef = from.get("secretRef");
        check.knownFields(from, Set.of("env", "secretRef"));
        exactlyOne(from, env, secretRef);
        check.shapes().text(env);
        if (check.shapes().mapping(secretRef)) {
            check.shapes().requiredText(secretRef.get("key"), FORM);
            check.shapes().requiredText(secretRef.get("ref"), FORM).ifPresent(text -> {
                ParsedRef ref = Ref.parse(secretRef.get("ref").node());
                if (!(ref instanceof Ref secret && secret.kind().equals("Secret"))) {
                    check.findings().error(ProblemCode.E_CONFIG_INVALID_REF, secretRef.get("ref"),
                            "'" + text + "' must name a Secret.", "Write ref: Secret/NAME.");
                }
            });
        }
    }

    private void exactlyOne(Place place, Place one, Place other) {
        if (one.present() == other.present()) {
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                    place.path() + " must have exactly one of " + last(one) + " and " + last(other) + ", and has "
                            + (one.present() ? "both." : "neither."),
                    FORM);
        }
    }

    private static String last(Place place) {
        String path = place.path().toString();
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
