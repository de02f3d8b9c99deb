package dev.toolfleet.cli.explain;

/// Asks workers what they do with an instance's calls.
@FunctionalInterface
interface LiveCalls {
    /// What they say; with a note when who matters could not be asked.
    CallFacts.Live of(String instance, GroupState group) throws InterruptedException;
}
