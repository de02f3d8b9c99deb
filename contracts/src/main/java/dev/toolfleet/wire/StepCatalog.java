package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// The newest step of an instance's agent and the catalog content that its model saw, on `tool.catalog.step`.
///
/// @param digest names the content on `tool.catalog.content`
/// @param policyDigest the policy that took part; absent while there is none
/// @param bundle the bundle of the agent
/// @param revision that bundle's revision; a worker waits until it has loaded it
/// @param ended whether the step has ended
/// @param recent the steps before this one, newest first, at most seven
public record StepCatalog(String instanceKey, String agentName, String turnId, String stepId,
        @Nullable Integer stepIndex, String digest, @Nullable String policyDigest, String bundle, long revision,
        Instant publishedAt, boolean ended, List<RecentStep> recent) {

    /// How many earlier steps a catalog remembers.
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
        recent = List.copyOf(Objects.requireNonNullElse(recent, List.of()));
    }

    /// The key of an instance's agent on `tool.catalog.step`.
    public static String key(String instanceKey, String agentName) {
        return instanceKey + "/" + agentName;
    }
}
