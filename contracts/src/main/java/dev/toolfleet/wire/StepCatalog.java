package dev.toolfleet.wire;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Newest step of an instance's agent and the catalog content that its model saw, on `tool.catalog.step`.
///
/// @param digest names the content on `tool.catalog.content`
/// @param policyDigest the policy in effect; absent for none
/// @param bundle the bundle of the agent
/// @param revision that bundle's revision; a worker waits until it has loaded it
/// @param revisions of the other bundles whose Tools the agent lists; absent when it lists none of another bundle. See
///        [#revision(String)]
/// @param ended true if the step has ended
/// @param recent the steps before this one, newest first, at most seven
public record StepCatalog(String instanceKey, String agentName, String turnId, String stepId,
        @Nullable Integer stepIndex, String digest, @Nullable String policyDigest, String bundle, long revision,
        @Nullable Map<String, Long> revisions, Instant publishedAt, boolean ended, List<RecentStep> recent) {

    /// The number of earlier steps in a catalog.
    public static final int RECENT = 7;

    /// Checks that the catalog can be named and found.
    public StepCatalog {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(turnId, "turnId");
        requireNonNull(stepId, "stepId");
        requireNonNull(digest, "digest");
        requireNonNull(bundle, "bundle");
        requireNonNull(publishedAt, "publishedAt");
        revisions = revisions == null || revisions.isEmpty()
                ? null
                : Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(revisions)));
        recent = List.copyOf(Objects.requireNonNullElse(recent, List.of()));
    }

    /// Returns the revision of a bundle from which the tools of this step and of the [#recent] ones were taken, or a
    /// later one. A worker runs none of that bundle's Tools for them until it has loaded it.
    ///
    /// @return 0 for a bundle that the catalog does not name
    public long revision(String bundleName) {
        if (bundleName.equals(bundle))
            return revision;
        return revisions == null ? 0 : revisions.getOrDefault(bundleName, 0L);
    }

    /// Returns the key of an instance's agent on `tool.catalog.step`.
    public static String key(String instanceKey, String agentName) {
        return instanceKey + "/" + agentName;
    }
}
