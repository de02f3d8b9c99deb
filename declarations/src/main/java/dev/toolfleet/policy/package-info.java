/// Policy: decides about calls of tools (`docs/policy.md`). It is compiled once from the bundles and evaluated for each
/// call. Pure.
@NullMarked
package dev.toolfleet.policy;

import org.jspecify.annotations.NullMarked;
