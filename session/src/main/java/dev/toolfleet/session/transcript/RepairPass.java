package dev.toolfleet.session.transcript;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Locale.ROOT;

/// One repair: writes the entries in their new order, and the findings. Used once, by one thread.
final class RepairPass {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final List<Entry> entries;
    private final CallFacts facts;
    private final RepairOptions options;
    private final Pairing pairing;
    private final List<Entry> repaired;
    private final List<Corruption> corruptions = new ArrayList<>();
    private final List<Entry> quarantined = new ArrayList<>();
    private int added;
    private int moved;
    private int dropped;
    private int droppedCalls;
    private boolean marked;

    RepairPass(List<Entry> entries, CallFacts facts, RepairOptions options) {
        this.entries = entries;
        this.facts = facts;
        this.options = options;
        pairing = new Pairing(entries, Duplicates.of(entries));
        repaired = new ArrayList<>(entries.size());
    }

    Repaired run() {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            switch (pairing.fates[i]) {
                case KEPT -> keep(i, entry);
                case DUPLICATE -> drop(i, "the entry stands twice; the first is kept");
                case SECOND_RESULT ->
                    drop(i, "call '" + entry.toolCallId() + "' has a result already; this one is dropped");
                case REPLACED ->
                    drop(i, "the result of call '" + entry.toolCallId()
                            + "' came later and replaces its synthetic one");
                case ORPHAN -> orphan(i, entry);
            }
        }
        corruptions.sort(Comparator.comparingInt(Corruption::index));
        boolean changed = !corruptions.isEmpty() || marked;
        return new Repaired(changed ? List.copyOf(repaired) : entries,
                new RepairReport(corruptions, added, moved, dropped, droppedCalls, quarantined));
    }

    private void keep(int index, Entry entry) {
        Frame frame = pairing.frames.get(index);
        if (frame != null)
            keepFrame(frame);
        else if (entry.role() != Role.TOOL)
            repaired.add(entry);
    }

    private void keepFrame(Frame frame) {
        List<Call> calls = new ArrayList<>(frame.slots.size());
        List<Entry> results = new ArrayList<>(frame.slots.size());
        int expected = frame.index + 1;
        for (int n = 0; n < frame.slots.size(); n++) {
            Frame.Slot slot = frame.slots.get(n);
            if (slot.result == Frame.NONE) {
                if (!unanswered(frame, slot.call, n, results))
                    continue;
            } else {
                expected = placed(slot, expected);
                results.add(nonEmpty(slot.result));
            }
            calls.add(slot.call);
        }
        repaired.add(message(frame, calls));
        repaired.addAll(results);
    }

    /// Counts a result as moved unless it stands where the frame's next result is expected.
    ///
    /// @return the index at which the next one is expected
    private int placed(Frame.Slot slot, int expected) {
        int next = expected;
        while (next < slot.result && pairing.fates[next] != Pairing.Fate.KEPT)
            next++;
        if (next == slot.result)
            return next + 1;
        moved++;
        found(Corruption.Kind.INVALID_ROLE_SEQUENCE, slot.result,
                "the result of call '" + slot.call.id() + "' does not stand behind its call; it is moved there");
        return expected;
    }

    private Entry nonEmpty(int index) {
        Entry result = entries.get(index);
        if (!result.isBlank())
            return result;
        found(Corruption.Kind.MISSING_TOOL_RESULT, index,
                "the result of call '" + result.toolCallId() + "' is empty; it reads " + Transcript.ABORTED);
        return synthetic(result.withContent(StringNode.valueOf(Transcript.ABORTED)), CallFacts.Reason.ABORTED);
    }

    /// Decides about a call without a result.
    ///
    /// @return false when the call is taken out of its frame
    private boolean unanswered(Frame frame, Call call, int number, List<Entry> results) {
        return switch (facts.of(frame.message, call)) {
            case CallFacts.Running running -> true;
            case CallFacts.Pending pending -> true;
            case CallFacts.Answered answered -> {
                added++;
                missing(frame, call, "its recorded result is inserted");
                results.add(answered.result());
                yield true;
            }
            case CallFacts.Unknown unknown -> {
                if (frame.message.isAborted()) {
                    droppedCalls++;
                    missing(frame, call, "the model did not finish the entry; the call is dropped");
                    yield false;
                }
                added++;
                missing(frame, call, "a synthetic result is inserted");
                results.add(unavailable(frame.message, call, number, unknown.reason()));
                yield true;
            }
        };
    }

    private void missing(Frame frame, Call call, String fate) {
        found(Corruption.Kind.MISSING_TOOL_RESULT, frame.index, "call '" + call.id() + "' has no result; " + fate);
    }

    /// Same frame, same id: a repair of the same log on another machine writes the same entry.
    private static Entry unavailable(Entry message, Call call, int number, CallFacts.Reason reason) {
        String id = message.id() == null ? null : message.id() + "-result-" + (number + 1);
        return synthetic(Entry.result(id, call.id(), call.toolName(), StringNode.valueOf(Transcript.UNAVAILABLE),
                message.at()), reason);
    }

    private static Entry synthetic(Entry result, CallFacts.Reason reason) {
        return result.withMetadata(Entry.SYNTHETIC, JSON.booleanNode(true))
                .withMetadata(Entry.REASON, JSON.stringNode(reason.name().toLowerCase(ROOT)))
                .withMetadata(Entry.IS_ERROR, JSON.booleanNode(true));
    }

    private Entry message(Frame frame, List<Call> calls) {
        Entry message = frame.message;
        if (calls.size() < message.calls().size())
            message = message.withCalls(calls).withMetadata(Entry.SYNTHETIC, JSON.booleanNode(true));
        if (message.calls().isEmpty() && message.isBlank())
            message = message.withContent(StringNode.valueOf(Transcript.ABORTED));
        return marked(message);
    }

    private Entry marked(Entry message) {
        ArrayNode unknown = null;
        for (Call call : message.calls()) {
            if (options.knownTool().test(call.toolName()))
                continue;
            unknown = unknown == null ? JSON.arrayNode() : unknown;
            unknown.add(call.toolName());
        }
        if (unknown == null || unknown.equals(message.metadata().get(Entry.UNKNOWN_TOOLS)))
            return message;
        marked = true;
        return message.withMetadata(Entry.UNKNOWN_TOOLS, unknown);
    }

    private void orphan(int index, Entry result) {
        String id = result.toolCallId();
        String name = id == null ? "a result names no call" : "the result of call '" + id + "' has no call";
        if (index == 0 || entries.get(index - 1).role() == Role.USER)
            found(Corruption.Kind.INVALID_ROLE_SEQUENCE, index, name + " before it");
        if (options.seedCompat() && id != null) {
            found(Corruption.Kind.ORPHAN_TOOL_RESULT, index, name + "; a call is invented, as in seed 003");
            invent(nonEmpty(index), id);
        } else {
            found(Corruption.Kind.ORPHAN_TOOL_RESULT, index, name + " that can own it; the model is not shown it");
            quarantined.add(result);
        }
    }

    private void invent(Entry result, String callId) {
        ObjectNode metadata = JSON.objectNode().put(Entry.SYNTHETIC, true);
        repaired.add(new Entry(result.id() == null ? null : result.id() + "-call", Role.ASSISTANT,
                StringNode.valueOf(""), result.at(), List.of(new Call(callId, "[unknown-tool]", JSON.objectNode())),
                null, null, metadata));
        repaired.add(result);
        added++;
    }

    private void drop(int index, String description) {
        dropped++;
        found(Corruption.Kind.DUPLICATE_ENTRY, index, description);
    }

    private void found(Corruption.Kind kind, int index, String description) {
        corruptions.add(new Corruption(kind, index, description));
    }
}
