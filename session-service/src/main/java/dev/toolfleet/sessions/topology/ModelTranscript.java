package dev.toolfleet.sessions.topology;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Corruption;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Repaired;
import dev.toolfleet.session.transcript.Transcript;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import org.jspecify.annotations.Nullable;

/// Messages of a session as a model may be shown them: the repaired transcript, with the message of each entry.
public final class ModelTranscript {
    private final Repaired repaired;
    private final IdentityHashMap<Entry, SessionMessage> originals;

    private ModelTranscript(Repaired repaired, IdentityHashMap<Entry, SessionMessage> originals) {
        this.repaired = repaired;
        this.originals = originals;
    }

    /// Repairs the messages.
    ///
    /// @param messages of the session, oldest first
    /// @param state with the calls that are open
    public static ModelTranscript of(List<SessionMessage> messages, SessionState state) {
        List<Entry> entries = new ArrayList<>();
        IdentityHashMap<Entry, SessionMessage> originals = new IdentityHashMap<>();
        for (SessionMessage message : messages) {
            for (Entry entry : MessageData.entries(message)) {
                originals.put(entry, message);
                entries.add(entry);
            }
        }
        return new ModelTranscript(Transcript.repair(entries, facts(state, originals)), originals);
    }

    /// Returns the repaired entries.
    public List<Entry> entries() {
        return repaired.entries();
    }

    /// Returns the findings of the repair.
    public List<Corruption> findings() {
        return repaired.report().corruptions();
    }

    /// Returns the message that an unchanged entry stands in; null for an entry that the repair has made or changed.
    public @Nullable SessionMessage message(Entry entry) {
        return originals.get(entry);
    }

    /// A call that stands on `tool.call` and has no result runs, or waits in its lane: the service reads every result.
    private static CallFacts facts(SessionState state, IdentityHashMap<Entry, SessionMessage> originals) {
        return (frame, call) -> {
            SessionMessage original = originals.get(frame);
            String step = original == null ? null : original.source().stepId();
            AwaitedCall awaited = state.awaited().stream().filter(one -> one.isOf(call.id(), step)).findFirst()
                    .orElse(null);
            if (awaited == null || !awaited.requested())
                return new CallFacts.Unknown(CallFacts.Reason.LOST);
            return awaited.handle() == null ? new CallFacts.Running() : new CallFacts.Pending(awaited.handle());
        };
    }
}
