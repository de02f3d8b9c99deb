package dev.toolfleet.bundle.check;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.ProblemCode;
import dev.toolfleet.bundle.Resource;

/// Checks `kind: OAuthApp`: the scopes that tools may be granted, and the places of the grants (the first seed's
/// sibling oauth.md). [ValueSources] checks the sources of its client's secrets.
final class OAuthAppRules {
    private static final Set<String> FIELDS = Set.of("provider", "flow", "subjectMode", "client", "endpoints", "scopes",
            "redirect", "options");
    private static final Set<String> FLOWS = Set.of("authorizationCode");
    private static final Set<String> SUBJECTS = Set.of("global", "user");

    private final Place spec;
    private final Check check;
    private final Shapes shapes;

    private OAuthAppRules(Place spec, Check check) {
        this.spec = spec;
        this.check = check;
        shapes = check.shapes();
    }

    static void check(Place spec, Check check) {
        check.knownFields(spec, FIELDS);
        new OAuthAppRules(spec, check).check();
    }

    /// Returns the scopes that an OAuthApp lists.
    static Set<String> scopes(Resource app) {
        return texts(Place.spec(app).get("scopes"));
    }

    static Set<String> texts(Place list) {
        return list.items().stream().filter(item -> item.node().isString()).map(item -> item.node().stringValue())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void check() {
        shapes.requiredText(spec.get("provider"), "For example provider: slack.");
        oneOf(spec.get("flow"), FLOWS, "deviceCode is not supported.");
        oneOf(spec.get("subjectMode"), SUBJECTS, "global: one grant for all; user: one for each person.");
        required(spec.get("client").get("clientId"));
        required(spec.get("client").get("clientSecret"));
        shapes.mapping(spec.get("endpoints"));
        url(spec.get("endpoints").get("authorizationUrl"));
        url(spec.get("endpoints").get("tokenUrl"));
        scopes();
        Place path = spec.get("redirect").get("callbackPath");
        shapes.requiredText(path, "For example callbackPath: /oauth/callback/slack.")
                .filter(text -> !text.startsWith("/")).ifPresent(text -> check.findings()
                        .error(ProblemCode.E_CONFIG_SCHEMA_INVALID, path,
                                path.path() + " must begin with '/', and is " + path.shown() + ".",
                                "For example callbackPath: /oauth/callback/slack."));
        shapes.mapping(spec.get("options"));
    }

    private void scopes() {
        Place scopes = spec.get("scopes");
        if (shapes.list(scopes).isEmpty() && (!scopes.present() || scopes.node().isArray()))
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, scopes,
                    "spec.scopes must list at least one scope.",
                    "List the scopes that tools may request, such as scopes: [\"chat:write\"].");
        scopes.items().forEach(shapes::text);
    }

    private void oneOf(Place place, Set<String> values, String hint) {
        String known = String.join(", ", new TreeSet<>(values));
        shapes.requiredText(place, "There is: " + known + ".").filter(text -> !values.contains(text))
                .ifPresent(text -> check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                        place.path() + " must be one of " + known + ", and is " + place.shown() + ".", hint));
    }

    private void required(Place source) {
        if (!source.present())
            check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, source, source.path() + " is missing.",
                    "Write valueFrom: {env: NAME}.");
    }

    private void url(Place place) {
        shapes.requiredText(place, "The flow authorizationCode needs it.")
                .filter(text -> !text.matches("https?://[^/\\s]+\\S*"))
                .ifPresent(text -> check.findings().error(ProblemCode.E_CONFIG_SCHEMA_INVALID, place,
                        place.path() + " must be an address, and is " + place.shown() + ".",
                        "Write it with https://."));
    }
}
