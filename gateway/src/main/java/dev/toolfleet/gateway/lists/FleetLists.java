package dev.toolfleet.gateway.lists;

import java.util.List;
import java.util.function.Predicate;

import dev.toolfleet.client.approval.OpenApproval;
import dev.toolfleet.client.letter.LetterFilter;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;

/// Lists of the fleet, as its topics have them now. Each is read when it is requested, but for the declarations, which
/// are followed. So any replica gives the same.
///
/// **Threads.** Thread-safe; reads block, so callers run on virtual threads.
public interface FleetLists {
    /// Returns the declarations of the moment, expired registrations included.
    FleetResources resources();

    /// Returns the catalogs, prompts and sessions of instances.
    InstanceViews views();

    /// Returns the selected calls that wait for a person, the oldest first.
    Answer<List<OpenApproval>> approvals(Predicate<OpenApproval> wanted);

    /// Returns errors, those of a partition in their order.
    ///
    /// @param after the position behind which to read; null to begin with the filter's time
    /// @param limit the largest number of errors, at least 1
    Answer<ErrorPage> errors(ErrorFilter filter, @Nullable TopicPosition after, int limit);

    /// Returns the newest dead letters, the newest first.
    ///
    /// @param all also those that were replayed or discarded
    /// @param limit the largest number of letters, at least 1
    Answer<LetterPage> letters(LetterFilter filter, boolean all, int limit);
}
