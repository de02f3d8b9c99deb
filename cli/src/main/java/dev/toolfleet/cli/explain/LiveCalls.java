package dev.toolfleet.cli.explain;

/// Asks workers what they do with an instance's calls.
@FunctionalInterface
interface LiveCalls {
    /// Returns the workers' answers, with a note if the owner of the partition could not be asked.
    CallFacts.Live of(String instance, GroupState group) throws InterruptedException;
}
