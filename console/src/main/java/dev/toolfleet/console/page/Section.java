package dev.toolfleet.console.page;

import java.util.Arrays;
import java.util.List;

import dev.toolfleet.console.web.Visit;
import dev.toolfleet.gateway.access.BrowserSessions;
import dev.toolfleet.gateway.access.Scope;

/// Section of the console, in the order of its navigation.
enum Section {
    NOW("", "Now", "n", true, Scope.FLEET_READ, Scope.TOOLS_CALL), CALLS("calls", "Calls", "c", false, Scope.FLEET_READ,
            Scope.TOOLS_CALL), APPROVALS("approvals", "Approvals", "a", false, Scope.APPROVALS_DECIDE,
                    Scope.FLEET_READ), TOOLS("tools", "Tools", "t", false, Scope.TOOLS_LIST, Scope.FLEET_READ), ERRORS(
                            "errors", "Errors", "e", false, Scope.FLEET_READ), LETTERS("dead-letters", "Dead letters",
                                    "d", true,
                                    Scope.FLEET_READ), FLEET("fleet", "Fleet", "f", true, Scope.FLEET_READ), POLICY(
                                            "policy", "Policy", "p", true, Scope.FLEET_READ), SESSIONS("sessions",
                                                    "Sessions", "s", false, Scope.SESSIONS_READ);

    private final String name;
    private final String label;
    private final String key;
    private final boolean whole;
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Scope> scopes;

    /// @param whole true if it shows things of all agents and instances
    Section(String name, String label, String key, boolean whole, Scope... scopes) {
        this.name = name;
        this.label = label;
        this.key = key;
        this.whole = whole;
        this.scopes = List.of(scopes);
    }

    /// Returns the path of its first page.
    String path() {
        return name.isEmpty() ? BrowserSessions.PAGES : BrowserSessions.PAGES + "/" + name;
    }

    /// Returns the path of a live part.
    static String live(String part) {
        return BrowserSessions.PAGES + "/live/" + part;
    }

    String label() {
        return label;
    }

    /// Returns the key that leads to it, after `g`.
    String key() {
        return key;
    }

    /// True if a person may see it.
    boolean isFor(Visit visit) {
        return hasScope(visit) && (!whole || visit.principal().isUnrestricted());
    }

    /// True if a person has a right for it, perhaps not for all agents and instances.
    boolean hasScope(Visit visit) {
        return scopes.stream().anyMatch(visit::has);
    }

    boolean isWhole() {
        return whole;
    }

    /// Returns the rights, one of them being needed.
    String needs() {
        return String.join(" or ", scopes.stream().map(Scope::text).sorted().toList());
    }

    /// Returns the sections that a person may see.
    static List<Section> of(Visit visit) {
        return Arrays.stream(values()).filter(section -> section.isFor(visit)).toList();
    }
}
