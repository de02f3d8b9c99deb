package dev.toolfleet.publishing.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.CanonicalJson;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.wire.ResourceRecord;

/// Compares a plan with the resources that readers saw before. Pure.
final class RevisionChanges {
    private RevisionChanges() {}

    static AppliedRevision of(RevisionPlan plan, ResourceTable before) {
        Map<String, ResourceRecord> shown = before.view().bundle(plan.bundle()).map(BundleResources::records)
                .orElse(Map.of());
        if (!plan.changes())
            return new AppliedRevision(plan.bundle(), plan.revision(), List.of(), List.of(), List.of(), shown.size());
        List<String> added = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        List<String> pruned = new ArrayList<>();
        int unchanged = 0;
        for (RevisionPlan.Entry entry : plan.entries()) {
            String name = entry.key().substring(plan.bundle().length() + 1);
            ResourceRecord value = entry.value();
            ResourceRecord old = shown.get(name);
            if (value == null) {
                pruned.add(name);
            } else if (!name.startsWith(ResourceRecord.REVISION + "/")) {
                if (old == null)
                    added.add(name);
                else if (same(old, value))
                    unchanged++;
                else
                    changed.add(name);
            }
        }
        return new AppliedRevision(plan.bundle(), plan.revision(), added, changed, pruned, unchanged);
    }

    private static boolean same(ResourceRecord one, ResourceRecord other) {
        return one.files().equals(other.files())
                && CanonicalJson.of(one.resource()).equals(CanonicalJson.of(other.resource()));
    }
}
