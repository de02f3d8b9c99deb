package dev.toolfleet.publishing.apply;

import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SkillSpec;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RevisionPlan;

/// Guards the versions of skills: an older copy of a skill must not silently replace a newer one.
final class SkillVersions {
    private SkillVersions() {}

    /// Refuses resources with a Skill whose version is lower than that of the bundle's present revision.
    ///
    /// @throws ApplyException that names the skill and both versions; nothing was written
    static void refuseLower(String bundle, List<RevisionPlan.Declared> resources, FleetResources present) {
        Map<String, SkillSpec> before = present.bundle(bundle).map(BundleResources::skills).orElse(Map.of());
        for (RevisionPlan.Declared declared : resources) {
            if (!declared.resource().path("kind").asString("").equals(Kinds.SKILL))
                continue;
            SkillSpec skill = read(declared);
            SkillSpec earlier = before.get(skill.name());
            if (earlier != null && skill.version().compareTo(earlier.version()) < 0)
                throw ApplyException.failed("the skill " + skill.name() + " has version " + skill.version() + ", and "
                        + bundle + " has " + earlier.version() + " already; give it a version from "
                        + earlier.version() + " on, or remove the skill first");
        }
    }

    private static SkillSpec read(RevisionPlan.Declared declared) {
        try {
            return SkillSpec.of(declared.resource());
        } catch (InvalidResourceException e) {
            throw ApplyException.failed("a skill cannot be read: " + e.getMessage(), e);
        }
    }
}
