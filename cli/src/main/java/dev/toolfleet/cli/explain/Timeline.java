package dev.toolfleet.cli.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// Events of a call, in the order of time. Pure.
final class Timeline {
    private Timeline() {}

    /// @param topic on which it stands
    record Event(Instant at, String topic, String what) {}

    static List<Event> of(CallSnapshot facts) {
        List<Event> events = new ArrayList<>();
        events.add(new Event(facts.call().at(), "tool.call", "written, record " + facts.call().place()
                + "; gateways show it at " + facts.call().gatewayPath()));
        facts.step().announced()
                .ifPresent(said -> events.add(new Event(said.at(), "agent.step", "its step was announced")));
        facts.step().catalogAt().ifPresent(
                at -> events
                        .add(new Event(at, "tool.catalog.step", "the agent's newest catalog, which names its step")));
        facts.start().ifPresent(start -> events.add(new Event(start.intent().startedAt(), "tool.journal",
                (start.intent().mayHaveStarted()
                        ? "its start was noted by worker "
                        : "it was taken, after a death, by worker ") + start.intent().worker()
                        + (start.alive() ? "" : ", which is gone"))));
        facts.answers().forEach(answer -> events.add(new Event(answer.at(), "tool.result", answer(answer))));
        facts.waits().ifPresent(waits -> {
            PendingCall pending = waits.pending();
            events.add(new Event(pending.createdAt(), "tool.pending", "waits for "
                    + (pending.target() == null ? what(pending.kind()) : pending.target()) + " under handle "
                    + pending.handle() + ", until " + VerdictText.time(pending.deadline())));
            if (waits.heardAt().isAfter(pending.createdAt()) && waits.endedAt() == null)
                events.add(new Event(waits.heardAt(), "tool.progress", "the work was last heard of"));
            if (waits.endedAt() != null)
                events.add(new Event(waits.endedAt(), "tool.pending", "the handle has ended"));
        });
        said(facts, events);
        // Stable: what has the same time stays as it was added.
        events.sort(Comparator.comparing(Event::at));
        return events;
    }

    private static void said(CallSnapshot facts, List<Event> events) {
        facts.said().rulings().forEach(ruling -> events.add(new Event(ruling.at(), "tool.audit",
                ruled(ruling, facts.call().call().instanceKey()))));
        facts.said().decision().ifPresent(said -> events.add(new Event(said.at(), "tool.decision",
                said.decision().decision().text() + who(said.decision().by(), said.decision().reason()))));
        facts.said().resumedAt()
                .ifPresent(at -> events.add(new Event(at, "tool.call.resumed", "goes on as an approved call")));
        facts.said().cancelled().ifPresent(said -> events.add(new Event(said.at(), "tool.control",
                "cancelled" + who(said.cancel().by(), said.cancel().reason()))));
        facts.said().ordered().ifPresent(said -> events.add(new Event(said.at(), "tool.operator",
                "lane " + said.order().order().text() + who(said.order().by(), said.order().reason()))));
    }

    private static String ruled(CallSnapshot.AuditedRuling ruling, String instance) {
        String rule = ruling.event().rule();
        String verdict = ruling.event().action().equals(CallSnapshot.AuditedRuling.DENIED)
                ? "denied"
                : "a person was asked";
        return verdict + (rule == null ? "" : " by rule " + rule) + (ruling.labels().isEmpty()
                ? ""
                : "; its instance had the labels " + ruling.labels().stream().map(label -> label(label, instance))
                        .collect(Collectors.joining(", ")));
    }

    private static String label(AddedLabel added, String instance) {
        return added.label() + " (of " + added.toolName() + ", call " + added.toolCallId()
                + (added.instanceKey().equals(instance) ? ")" : " of instance " + added.instanceKey() + ")");
    }

    private static String what(PendingCall.Kind kind) {
        return switch (kind) {
            case ASYNC -> "work";
            case APPROVAL -> "a decision";
            case AUTHORIZATION -> "an authorization";
            case UNKNOWN -> "what this version does not know";
        };
    }

    private static String answer(CallSnapshot.Answer answer) {
        ToolError error = answer.result().error();
        String again = (answer.result().replayed() ? ", again for a duplicate" : "")
                + (answer.result().notice() == null ? "" : ", with a notice to the model: it repeats this call");
        return switch (answer.result().status()) {
            case OK -> "ok" + again;
            case PENDING -> "pending, handle " + answer.result().handle() + again;
            case ERROR -> (error == null ? "error" : error.code()) + again;
            case UNKNOWN -> "a status that this version does not know" + again;
        };
    }

    private static String who(@Nullable String by, @Nullable String reason) {
        return (by == null ? "" : " by " + by) + (reason == null ? "" : ": " + reason);
    }
}
