package dev.toolfleet.publishing.apply;

import java.util.ArrayList;
import java.util.List;

/// Outcome of applying a bundle.
///
/// @param revision of the bundle, afterwards
/// @param added resources that are new, as `Kind/name`
/// @param changed resources that are different now
/// @param pruned resources that are gone
/// @param unchanged how many are as before
public record AppliedRevision(String bundle, long revision, List<String> added, List<String> changed,
        List<String> pruned, int unchanged) {
    /// Copies the lists.
    public AppliedRevision {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        pruned = List.copyOf(pruned);
    }

    /// True if the fleet got a new revision.
    public boolean changes() {
        return !added.isEmpty() || !changed.isEmpty() || !pruned.isEmpty();
    }

    /// For a person: a line of numbers, and one for each resource that is not as before.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!changes()) {
            lines.add(
                    bundle + " is at revision " + revision + " already; " + unchanged + " resources, nothing changed");
            return lines;
        }
        lines.add(bundle + " is at revision " + revision + ": " + added.size() + " added, " + changed.size()
                + " changed, " + pruned.size() + " pruned, " + unchanged + " unchanged");
        added.forEach(name -> lines.add("  + " + name));
        changed.forEach(name -> lines.add("  ~ " + name));
        pruned.forEach(name -> lines.add("  - " + name));
        return lines;
    }
}
