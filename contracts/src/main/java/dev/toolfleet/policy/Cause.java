package dev.toolfleet.policy;

import dev.toolfleet.bundle.Verdict;

/// Why a stage says what it says.
///
/// @param rule which rule, as `bundle/policy/id`; a stage without rules has names of its own, such as
/// `finance-safety/isTransactional`
/// @param reason one sentence for people and models
public record Cause(Stage stage, Verdict verdict, String rule, String reason) {}
