package dev.toolfleet.worker.call;

import dev.toolfleet.error.ErrorText;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.agents.AgentSends;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.policy.Ruling;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.CallKeys;
import dev.toolfleet.worker.telemetry.CallTrace;
import org.jspecify.annotations.Nullable;

/// One call on its way through the pipeline and what was learnt of it. Owned by the call's thread until the call has
/// its fate; the watcher of an abandoned handler, and the transaction loop, only read what was written before.
public final class CallRun {
    private final IdentifiedCall call;
    private final Position at;
    private final long startedAt;
    private final AgentSends sends = new AgentSends();
    private @Nullable PartitionState state;
    private @Nullable RegisteredTool tool;
    private @Nullable ToolRef ref;
    private @Nullable ToolSource source;
    private @Nullable String catalogDigest;
    private @Nullable String policyDigest;
    private volatile @Nullable CallIntent intent;
    private volatile boolean unread;
    private volatile @Nullable String waitedFor;
    private volatile int errorLimit = ErrorText.DEFAULT_LIMIT;
    private int attempt = 1;
    private volatile int deaths;
    private boolean replayed;
    private long handlerMillis;
    private boolean ran;
    private @Nullable String code;
    private boolean left;
    private @Nullable Grant grant;
    private @Nullable Ruling ruling;
    private @Nullable ApprovalQuestion asking;
    private boolean approvalUsed;
    private long order;
    private CallTrace trace = CallTrace.OFF;
    private final CallCourse course;

    public CallRun(IdentifiedCall call, long startedAt) {
        this(call, call.arrival().position(), startedAt);
    }

    /// @param at the record that is finished with it: the call's own, or the one with a pending call's outcome
    public CallRun(IdentifiedCall call, Position at, long startedAt) {
        this.call = call;
        this.at = at;
        this.startedAt = startedAt;
        this.order = call.arrival().position().offset();
        this.course = new CallCourse(startedAt);
    }

    /// Where it is on its way.
    public CallCourse course() {
        return course;
    }

    /// A call that was approved.
    public static CallRun granted(Arrival.Granted granted, long startedAt) {
        CallOrigin origin = granted.resumed().origin();
        CallRun run = new CallRun(IdentifiedCall.of(granted.call(), origin == null ? null : origin.fingerprint()),
                granted.position(), startedAt);
        run.grant = granted.grant();
        if (origin != null)
            run.attempt = origin.attempt();
        return run;
    }

    /// What is traced of it.
    public CallTrace trace() {
        return trace;
    }

    public void traced(CallTrace by) {
        trace = by;
    }

    /// The W3C context of every record that comes of it; null for none.
    @Nullable
    public TraceContext context() {
        return trace.context(call.arrival().trace());
    }

    /// For correlation: what the caller named, else the W3C trace.
    @Nullable
    public String traceId() {
        String named = call.arrival().call().traceId();
        TraceContext context = context();
        return named != null || context == null ? named : context.traceId();
    }

    /// From here on the lines of this thread name it, until what is returned is closed.
    ///
    /// @param spanId the span that runs; null where nothing is traced
    public CallKeys keys(@Nullable String spanId) {
        return CallKeys.of(call.arrival().call(), context(), spanId);
    }

    /// The approval that it runs by; null for a call that nobody has approved.
    @Nullable
    public Grant grant() {
        return grant;
    }

    /// Under which name its starts are noted. An approval is used once, so its starts have a name of their own, and the
    /// entry of the open handle stays beside them until the call has ended.
    public String noted() {
        Grant by = grant;
        return by == null ? call.identity().text() : call.identity().resumedBy(by.handle()).text();
    }

    /// Its place in its lane, as tools see it.
    public long order() {
        return order;
    }

    public void order(long place) {
        order = place;
    }

    /// What policy said of it; null when it was not asked.
    @Nullable
    public Ruling ruling() {
        return ruling;
    }

    public void ruled(Ruling said) {
        ruling = said;
        if (said.basis().policyDigest() != null)
            policyDigest = said.basis().policyDigest();
    }

    /// What a person is asked; null when nobody is.
    @Nullable
    public ApprovalQuestion asking() {
        return asking;
    }

    /// True if the reply is what a person is asked about the call.
    public boolean isQuestion(ToolReply reply) {
        ApprovalQuestion question = asking;
        return question != null && question.isAskedBy(reply);
    }

    /// The reply as it may be published.
    public ToolReply asAsked(ToolReply reply) {
        ApprovalQuestion question = asking;
        return question == null ? reply : question.asAsked(reply);
    }

    public void asks(ApprovalQuestion question) {
        asking = question;
    }

    /// Whether it went on because a person had approved it.
    public boolean isApprovalUsed() {
        return approvalUsed;
    }

    public void approvalUsed() {
        approvalUsed = true;
    }

    /// Whether its tool accesses sensitive data, as far as is known.
    public boolean isSensitive() {
        Ruling said = ruling;
        RegisteredTool found = tool;
        return (said != null && said.basis().sensitive())
                || (found != null && found.export().policy().accessesSensitiveData());
    }

    /// The record whose offset is committed with what comes of it.
    public Position at() {
        return at;
    }

    /// Whether something stands on the journal that its end closes.
    public boolean isJournaled() {
        return intent != null || unread || at.source() == Position.Source.RESUMED;
    }

    /// The journal holds an entry of the call that cannot be read; its end deletes it.
    public void unread() {
        unread = true;
    }

    /// The call ends by the end of that handle.
    public void waitedFor(String handle) {
        waitedFor = handle;
    }

    /// The handle by whose end the call ends, or by whose approval it runs; null when it did not wait for one.
    @Nullable
    public String waitedFor() {
        Grant by = grant;
        return waitedFor == null && by != null ? by.handle() : waitedFor;
    }

    /// The tool's declaration limits error messages to that, also of calls that never reach its handler.
    public void errorLimit(int limit) {
        errorLimit = limit;
    }

    /// UTF-16 units of an error message.
    public int errorLimit() {
        RegisteredTool chosen = tool;
        return chosen == null ? errorLimit : chosen.errorMessageLimit();
    }

    /// Whether the journal holds an entry of the call's start.
    public boolean hasStart() {
        return intent != null || unread;
    }

    public IdentifiedCall call() {
        return call;
    }

    /// What it says to agents with its result.
    public AgentSends sends() {
        return sends;
    }

    /// When it left its lane's queue, in epoch milliseconds.
    public long startedAt() {
        return startedAt;
    }

    /// What is told of the call's result once it is committed; null for a call of which nobody will ask again.
    @Nullable
    public PartitionState state() {
        return state;
    }

    public void rememberedBy(PartitionState partition) {
        state = partition;
    }

    @Nullable
    public RegisteredTool tool() {
        return tool;
    }

    /// Which declaration runs; null until that is known.
    @Nullable
    public ToolRef ref() {
        return ref;
    }

    public void tool(RegisteredTool found, @Nullable ToolRef as) {
        tool = found;
        ref = as;
    }

    @Nullable
    public ToolSource source() {
        return source;
    }

    @Nullable
    public String catalogDigest() {
        return catalogDigest;
    }

    @Nullable
    public String policyDigest() {
        return policyDigest;
    }

    public void judged(@Nullable ToolSource by, @Nullable String digest, @Nullable String policy) {
        source = by;
        catalogDigest = digest;
        policyDigest = policy;
    }

    /// What stands on the journal and is closed by the call's result; null when nothing does.
    @Nullable
    public CallIntent intent() {
        return intent;
    }

    public void intent(CallIntent open) {
        intent = open;
    }

    /// Whether its handler may have been started, here or by an earlier owner that noted it.
    public boolean isAnnounced() {
        CallIntent noted = intent;
        return noted != null && noted.mayHaveStarted();
    }

    /// Whether a handler may have been started that must not start twice.
    public boolean mayNotRepeat() {
        RegisteredTool chosen = tool;
        return chosen != null && !chosen.export().annotations().repeatable() && (ran || isAnnounced());
    }

    /// How many workers died while they may have had it.
    public int deaths() {
        return deaths;
    }

    public void deaths(int counted) {
        deaths = counted;
    }

    /// Which start of the handler this is, from 1.
    public int attempt() {
        return attempt;
    }

    public void attempt(int number) {
        attempt = number;
    }

    /// Whether an earlier result is published again.
    public boolean replayed() {
        return replayed;
    }

    public void replay() {
        replayed = true;
    }

    public long handlerMillis() {
        return handlerMillis;
    }

    public void handlerMillis(long millis) {
        handlerMillis = millis;
        ran = true;
    }

    /// Whether its handler has ended, and not merely been given up.
    public boolean ran() {
        return ran;
    }

    /// The code of the error that is published for it; null without one.
    @Nullable
    public String code() {
        return code;
    }

    public void failed(String with) {
        code = with;
    }

    /// Whether the call is left to the next owner of its partition: nothing is published for it.
    public boolean left() {
        return left;
    }

    public void leave() {
        left = true;
    }
}
