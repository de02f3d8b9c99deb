package dev.toolfleet.publishing.changeset;

import java.nio.file.Path;

import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.resources.ChangesetRules;

/// Agent that changes its bundle, by one call.
///
/// @param rules what it may change
/// @param callId id of the call, for the commit
/// @param key the same for every run of the call
record Author(String bundle, String agent, String instanceKey, PolicyCaller caller, ChangesetRules rules,
        String callId, String key, Path workdir) {}
