package dev.toolfleet.bundle.check;

/// Checks `kind: Package`, as far as references need it. The package manager checks the rest.
final class PackageRules {
    private PackageRules() {}

    static void check(Place spec, Check check) {
        check.shapes().text(spec.get("version"));
        for (Place dependency : check.shapes().list(spec.get("dependencies"))) {
            if (!dependency.node().isObject()) {
                check.shapes().wrong(dependency, "a mapping");
            } else {
                check.shapes().requiredText(dependency.get("name"), "For example name: \"@goondan/base\".");
                check.shapes().text(dependency.get("version"));
            }
        }
    }
}
