package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.session.compaction.Compaction;
import dev.toolfleet.session.compaction.CompactionOptions;
import dev.toolfleet.session.compaction.Compactor;
import dev.toolfleet.session.compaction.Strategy;
import dev.toolfleet.session.compaction.Summarizer;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.sessions.topology.AgentContexts.AgentContext;
import dev.toolfleet.sessions.topology.CompactionRecord.Options;
import dev.toolfleet.sessions.topology.CompactionRecord.Running;
import dev.toolfleet.sessions.topology.CompactionRecord.StoredAnswer;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Compactions of the sessions of one partition. A session whose window is critical is compacted when a ContextPolicy
/// applies to its agent, and any session on request.
///
/// **Contract.** At most one compaction of a session is under way, and a minute passes before the service begins the
/// next one. One that fails, or reclaims nothing, is reported once; the service tries again after as many new messages
/// as it keeps untouched. The outcome is an event on `session.message`, so the topic keeps the replaced messages.
///
/// **Interleavings.** The summariser is a tool of the fleet, so minutes may pass between two steps. The state of the
/// compaction is stored with the offset of the record that changed it:
/// - *The service dies while the summariser works.* The heir has the state, and reads the result.
/// - *Messages are appended meanwhile.* They lie behind the bound of the compaction and are not touched.
/// - *A message before the bound changes.* The request then differs from the one that was answered: the compaction ends,
///   reported. When the message changes after the outcome was written, the event names an id that is gone, and is refused
///   as a whole.
/// - *The result never comes.* The compaction fails after its deadline; a late result has no compaction and is ignored.
///
/// **Threads.** Used by the thread of its task.
final class Compactions {
    /// The pause between two compactions of a session.
    static final Duration PAUSE = Duration.ofSeconds(60);
    /// The wait for the result of a call whose deadline is over.
    static final Duration GRACE = Duration.ofSeconds(30);
    private static final String REPORT = "compaction";
    private static final int ID_LENGTH = 32;

    private final SessionStores stores;
    private final AgentContexts contexts;

    /// Records to write.
    ///
    /// @param events of the session
    /// @param reports for readers
    /// @param call the call of the summariser
    record Effects(List<MessageEvent> events, List<SessionReport> reports, Optional<SummaryCall> call) {
        static final Effects NONE = new Effects(List.of(), List.of(), Optional.empty());
    }

    /// Call of a summariser, and the step in which it stands.
    record SummaryCall(StepStarted step, ToolCall call) {}

    Compactions(SessionStores stores, AgentContexts contexts) {
        this.stores = stores;
        this.contexts = contexts;
    }

    /// Begins a compaction if the session needs one and its policy lets the service begin.
    Effects consider(SessionId id, SessionRecord record, Instant now) {
        String status = record.state().status();
        if (!status.equals("critical") && !status.equals("exceeded"))
            return Effects.NONE;
        AgentContext context = contexts.of(id.agentName());
        if (context.policy().filter(ContextPolicySpec::automatic).isEmpty())
            return Effects.NONE;
        CompactionRecord compaction = stores.compaction(id);
        boolean pausing = compaction.notBefore() != null && now.isBefore(compaction.notBefore());
        if (compaction.running() != null || pausing || record.state().messages() < compaction.minMessages())
            return Effects.NONE;
        return begin(id, record, compaction, context, now);
    }

    /// Begins a compaction that was requested.
    Effects request(SessionId id, SessionRecord record, Instant now) {
        CompactionRecord compaction = stores.compaction(id);
        if (compaction.running() != null)
            return report(record, "a compaction of the session is under way already", null, now);
        return begin(id, record, compaction, contexts.of(id.agentName()), now);
    }

    /// Takes the result of a summariser.
    Effects answered(ToolResult result, Instant now) {
        Optional<SessionId> session = stores.summarized(result.toolCallId());
        if (session.isEmpty() || result.status() == ResultStatus.PENDING)
            return Effects.NONE;
        return goOn(session.get(), result.toolCallId(), answer(result), now);
    }

    /// Ends the waits that are over.
    List<Effects> due(Instant now) {
        List<Effects> effects = new ArrayList<>();
        for (SessionId id : stores.takeDueCompactions(now.toEpochMilli())) {
            Running running = stores.compaction(id).running();
            if (running != null && !now.isBefore(running.until()))
                effects.add(goOn(id, running.callId(), StoredAnswer.failed("the summariser has not answered in time"),
                        now));
        }
        return effects;
    }

    private Effects begin(SessionId id, SessionRecord record, CompactionRecord compaction, AgentContext context,
            Instant now) {
        Options options = options(context);
        CompactionRecord begun = new CompactionRecord(compaction.number() + 1, null, compaction.notBefore(),
                compaction.minMessages());
        return step(id, record, begun, new Running(record.nextPosition(), options, "", "", now, List.of()), now);
    }

    private static Options options(AgentContext context) {
        int usable = context.window().tokens() - context.guard().config().reserveTokens();
        ContextPolicySpec policy = context.policy().orElse(null);
        if (policy == null)
            return new Options(Strategy.HYBRID.wireName(), target(usable, ContextPolicySpec.TARGET_RATIO),
                    context.promptTokens(), ContextPolicySpec.PRESERVE_RECENT, true, false, null,
                    ContextPolicySpec.SUMMARIZER_WINDOW, ContextPolicySpec.TIMEOUT.toMillis(), "");
        return new Options(Strategy.valueOf(policy.strategy().name()).wireName(), target(usable, policy.targetRatio()),
                context.promptTokens(), policy.preserveRecentMessages(), policy.preserveSystemPrompt(),
                policy.dropOnFailure(), policy.summarizer().orElse(null), policy.summarizerWindow(),
                policy.timeout().toMillis(), context.bundle());
    }

    private static long target(int usable, double ratio) {
        return Math.max(1, (long) (usable * ratio));
    }

    private Effects goOn(SessionId id, String callId, StoredAnswer answer, Instant now) {
        CompactionRecord compaction = stores.compaction(id);
        Running running = compaction.running();
        SessionRecord record = stores.record(id).orElse(null);
        stores.removeSummarized(callId);
        if (running == null || record == null || !running.callId().equals(callId))
            return Effects.NONE;
        if (!(next(transcript(id, record, running), running, running.answers()) instanceof Compactor.Ask ask)
                || !digest(ask.request()).equals(running.request()))
            return failed(id, record, compaction, running, "messages changed while they were summarised", now);
        List<StoredAnswer> answers = new ArrayList<>(running.answers());
        answers.add(answer);
        return step(id, record, compaction,
                new Running(running.bound(), running.options(), "", "", now, answers), now);
    }

    private Effects step(SessionId id, SessionRecord record, CompactionRecord compaction, Running running,
            Instant now) {
        ModelTranscript transcript = transcript(id, record, running);
        return switch (next(transcript, running, running.answers())) {
            case Compactor.Ask ask -> call(id, compaction, running, ask.request(), now);
            case Compactor.End end -> switch (end.outcome()) {
                case Compaction.Done done -> done(id, record, compaction, transcript, done, now);
                case Compaction.NotNeeded enough -> {
                    stores.put(id, compaction.idle());
                    yield report(record, "the session has " + enough.tokens()
                            + " tokens, which is within the target of " + running.options().targetTokens(), null, now);
                }
                case Compaction.CannotFit cannot -> failed(id, record, compaction, running, cannot.reason(), now);
                case Compaction.Failed failed -> failed(id, record, compaction, running, failed.reason(), now);
                case Compaction.Cancelled ignored ->
                    failed(id, record, compaction, running, "the summariser's call was cancelled", now);
            };
        };
    }

    private ModelTranscript transcript(SessionId id, SessionRecord record, Running running) {
        return ModelTranscript.of(stores.messagesBefore(id, running.bound()), record.state());
    }

    private static Compactor.Step next(ModelTranscript transcript, Running running, List<StoredAnswer> answers) {
        Options options = running.options();
        OptionalInt window = options.summarizer() == null
                ? OptionalInt.empty()
                : OptionalInt.of(options.summarizerWindow());
        return Compactor.next(transcript.entries(),
                new CompactionOptions(Strategy.of(options.strategy()).orElseThrow(), options.targetTokens(),
                        options.fixedTokens(), options.preserveRecentMessages(), options.preserveSystemPrompt(),
                        options.dropOnFailure(), window, TokenCounter.STANDARD),
                answers.stream().map(StoredAnswer::answer).toList());
    }

    private Effects call(SessionId id, CompactionRecord compaction, Running running, Summarizer.Request request,
            Instant now) {
        Options options = running.options();
        String session = shortDigest(id.instanceKey() + "\n" + id.agentName());
        String turn = "compaction-" + compaction.number();
        String callId = "compaction-" + shortDigest(session + "\n" + compaction.number() + "\n"
                + running.answers().size());
        // An instance of its own: in the lane of the session's instance the agent's calls would wait for the summary.
        String instance = "@session/" + session;
        String agent = ContextPolicySpec.AGENT + options.bundle();
        Instant deadline = now.plusMillis(options.timeoutMs());
        ToolCall call = new ToolCall(callId, String.valueOf(options.summarizer()), arguments(request), instance, agent,
                turn, turn, 0, null, null, null, null, deadline, null,
                JsonNodeFactory.instance.objectNode().put("session", id.instanceKey()).put("sessionAgent",
                        id.agentName()));
        Instant until = deadline.plus(GRACE);
        stores.put(id, compaction.running(new Running(running.bound(), options, digest(request), callId, until,
                running.answers())));
        stores.putSummarized(callId, id);
        stores.putDueCompaction(until.toEpochMilli(), id);
        return new Effects(List.of(), List.of(),
                Optional.of(new SummaryCall(new StepStarted(instance, agent, turn, turn, 0, null, null, null), call)));
    }

    private static ObjectNode arguments(Summarizer.Request request) {
        String older = request.previousSummary();
        ObjectNode args = JsonNodeFactory.instance.objectNode()
                .put("text", older == null
                        ? request.text()
                        : "Summary of still older messages, which the new summary must contain:\n" + older
                                + "\n\nMessages:\n" + request.text())
                .put("maxTokens", request.maxTokens());
        ArrayNode identifiers = args.putArray("identifiers");
        request.identifiers().forEach(identifiers::add);
        return args;
    }

    private static StoredAnswer answer(ToolResult result) {
        ToolError error = result.error();
        if (error != null)
            return error.code().equals(ErrorCode.E_TOOL_CANCELLED.name())
                    ? new StoredAnswer(null, null)
                    : StoredAnswer.failed("the summariser failed: " + error.code() + ": " + error.message());
        JsonNode output = result.output();
        String summary = output == null ? "" : output.path("summary").asString("");
        return summary.isBlank()
                ? StoredAnswer.failed("the summariser " + result.toolName() + " returned no text under 'summary'")
                : new StoredAnswer(summary, null);
    }

    private Effects done(SessionId id, SessionRecord record, CompactionRecord compaction, ModelTranscript transcript,
            Compaction.Done done, Instant now) {
        stores.put(id, compaction.ended(now.plus(PAUSE), 0));
        ObjectNode detail = JsonNodeFactory.instance.objectNode().put("strategy", done.strategy().wireName())
                .put("removedCount", done.removedCount()).put("beforeTokens", done.beforeTokens())
                .put("afterTokens", done.afterTokens()).put("targetMet", done.targetMet());
        ArrayNode applied = detail.putArray("applied");
        done.applied().forEach(strategy -> applied.add(strategy.wireName()));
        if (done.failure() != null)
            detail.put("failure", done.failure());
        return new Effects(CompactionEvents.of(id, transcript, done, now),
                List.of(reported(record, "compacted: " + done.beforeTokens() + " tokens became " + done.afterTokens(),
                        detail, now)),
                Optional.empty());
    }

    private Effects failed(SessionId id, SessionRecord record, CompactionRecord compaction, Running running,
            String reason, Instant now) {
        stores.put(id, compaction.ended(now.plus(PAUSE),
                record.state().messages() + Math.max(1, running.options().preserveRecentMessages())));
        return report(record, "not compacted: " + reason, "failed", now);
    }

    private static Effects report(SessionRecord record, String text, @Nullable String code,
            Instant now) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        if (code != null)
            detail.put("outcome", code);
        return new Effects(List.of(), List.of(reported(record, text, detail, now)), Optional.empty());
    }

    private static SessionReport reported(SessionRecord record, String text, ObjectNode detail, Instant now) {
        return new SessionReport(record.state().instanceKey(), record.state().agentName(), REPORT, null, text,
                record.state().seq(), detail, now);
    }

    private static String digest(Summarizer.Request request) {
        return Digests.sha256(Json.MAPPER.writeValueAsBytes(request));
    }

    private static String shortDigest(String text) {
        String digest = Digests.sha256(text.getBytes(StandardCharsets.UTF_8));
        return digest.substring(digest.indexOf(':') + 1).substring(0, ID_LENGTH);
    }
}
