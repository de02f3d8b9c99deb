package dev.toolfleet.cli.explain;

/// Source of the workers' present view of an instance's calls.
@FunctionalInterface
interface LiveCalls {
    /// Returns the workers' answers, with a note if the owner of the partition could not be asked.
    CallSnapshot.Live of(String instance, GroupState group) throws InterruptedException;
}
