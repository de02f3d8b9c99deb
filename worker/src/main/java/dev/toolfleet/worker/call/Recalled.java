package dev.toolfleet.worker.call;

import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.RegisteredTool;
import org.jspecify.annotations.Nullable;

/// Call with the memory that its partition has of it.
///
/// @param state hears when the call's result is committed; null for a call that no duplicate can follow
/// @param attempt the number of its handler's next start, or of the start that is settled
/// @param deaths how many workers died while they may have had it
/// @param isDoubtful true if a result may answer this very record: a tool that must not run twice must not start
/// @param isUnread true if the journal holds an entry of the call that cannot be read; its end deletes it
/// @param outcomeOf the handle by whose end the call ends; null for none
/// @param asked the tool that an earlier owner began, for its declaration; null when it is not known
/// @param askedAs its declaration
public record Recalled(Identified identified, @Nullable PartitionState state, int attempt, int deaths,
        boolean isDoubtful,
        boolean isUnread, @Nullable String outcomeOf, @Nullable RegisteredTool asked,
        @Nullable ToolRef askedAs) implements CallFacts {
    /// The same at another start of its handler.
    public Recalled at(int start) {
        return new Recalled(identified, state, start, deaths, isDoubtful, isUnread, outcomeOf, asked, askedAs);
    }

    /// The same after this number of deaths of workers.
    public Recalled after(int counted) {
        return new Recalled(identified, state, attempt, counted, isDoubtful, isUnread, outcomeOf, asked, askedAs);
    }

    /// The same, whose record may have been answered.
    public Recalled doubtful() {
        return new Recalled(identified, state, attempt, deaths, true, isUnread, outcomeOf, asked, askedAs);
    }

    /// The same, with an entry on the journal that cannot be read.
    public Recalled unread() {
        return new Recalled(identified, state, attempt, deaths, isDoubtful, true, outcomeOf, asked, askedAs);
    }

    /// The same, which ends by the end of a handle.
    public Recalled endsBy(String handle) {
        return new Recalled(identified, state, attempt, deaths, isDoubtful, isUnread, handle, asked, askedAs);
    }

    /// The same, whose tool an earlier owner chose.
    public Recalled of(RegisteredTool tool, @Nullable ToolRef ref) {
        return new Recalled(identified, state, attempt, deaths, isDoubtful, isUnread, outcomeOf, tool, ref);
    }

    @Override
    public CallFacts before() {
        return identified;
    }

    @Override
    public @Nullable String waitedFor() {
        return outcomeOf == null ? identified.waitedFor() : outcomeOf;
    }

    @Override
    public @Nullable RegisteredTool tool() {
        return asked;
    }

    @Override
    public @Nullable ToolRef ref() {
        return askedAs;
    }
}
