package dev.toolfleet.bundle.check;

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
        if (secret && place.get("value").present())
            LiteralSecrets.warn(place.get("value"), check.findings());
        Place ref = place.get("valueFrom").get("secretRef").get("ref");
        ref.text().filter(text -> !(Ref.parse(ref.node()) instanceof Ref named && named.kind().equals("Secret")))
                .ifPresent(text -> check.findings().error(ProblemCode.E_CONFIG_INVALID_REF, ref,
                        "'" + text + "' must name a Secret.", "Write ref: Secret/NAME."));
    }
}
