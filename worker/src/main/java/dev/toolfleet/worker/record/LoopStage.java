package dev.toolfleet.worker.record;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.json.CanonicalText;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.identity.Digest128;
import dev.toolfleet.worker.identity.LoopKey;
import dev.toolfleet.worker.identity.LoopMark;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;

/// Stage for calls that repeat without a change in their results (`docs/decisions/0102`).
///
/// **Contract.** A call is refused before its handler starts and before a person is asked, once it has ended with the
/// same result [LoopConfig#refuseAfter] times in a row in its turn. Each final result counts once, as it is published:
/// behind the middlewares and the result guard. Calls of exports that declare `mayRepeat`, and calls without a turn,
/// are neither counted nor refused. An approved call, and one that an earlier owner began, is counted and never
/// refused.
///
/// **Threads.** Thread-safe. The counts are those of the call's partition.
public final class LoopStage {
    /// Counts nothing and refuses nothing.
    public static final LoopStage OFF = new LoopStage(LoopConfig.OFF, run -> Optional.empty());
    private static final int LONGEST_NAME = 200;
    /// Result of a reply that has no digest: it is published as an error, the same each time.
    private static final Digest128 NO_JSON = Digest128.of("no JSON");

    private static final Set<String> FLEET_CODES = Arrays.stream(ErrorCode.values()).map(ErrorCode::name)
            .collect(Collectors.toUnmodifiableSet());

    private final LoopConfig config;
    private final ExportDeclarations declarations;

    LoopStage(LoopConfig config, ExportDeclarations declarations) {
        this.config = config;
        this.declarations = declarations;
    }

    /// A stage with the declarations of a registry.
    public static LoopStage of(LoopConfig config, ToolRegistry registry) {
        return new LoopStage(config, ExportDeclarations.in(registry));
    }

    /// Returns the error of a call that repeats too often; null for a call that goes on.
    ///
    /// @param mayRepeat true if its export declares it
    public @Nullable ToolError refusal(CallFacts run, boolean mayRepeat) {
        PartitionState state = run.state();
        if (config.refuseAfter() == 0 || mayRepeat || state == null || run.grant() != null || run.isAnnounced())
            return null;
        LoopKey key = run.call().loopKey();
        int count = key == null ? 0 : state.loops().count(key);
        return count < config.refuseAfter()
                ? null
                : ToolError.of(ErrorCode.E_TOOL_LOOP, said(run, count) + " It was not started again.");
    }

    /// Counts a final result.
    ///
    /// @param reply as it is published
    LoopEnd ended(CallFacts run, ToolReply reply) {
        PartitionState state = run.state();
        if (config.isOff() || state == null)
            return LoopEnd.NONE;
        LoopKey key = run.call().loopKey();
        if (key == null || declarations.of(run).filter(export -> export.execution().mayRepeat()).isPresent())
            return LoopEnd.NONE;
        if (run.isLoop())
            return new LoopEnd(state.loops().refused(key, NO_JSON), null);
        LoopMark mark = state.loops().ended(key, digest(reply));
        return new LoopEnd(mark, notice(run, mark.count()));
    }

    private @Nullable String notice(CallFacts run, int count) {
        if (config.noticeAfter() == 0 || count < config.noticeAfter())
            return null;
        return said(run, count) + " Repeating it will not change that. Use the result that you have, call with other"
                + " arguments, use another tool, or tell the user what you cannot find out."
                + (config.refuseAfter() == 0
                        ? ""
                        : " After " + config.refuseAfter() + " times it is refused until the next turn.");
    }

    private static String said(CallFacts run, int count) {
        return "This call of '" + ErrorText.limit(run.call().arrival().call().name(), LONGEST_NAME)
                + "' has ended with the same result " + count + (count == 1 ? " time" : " times in a row")
                + " in this turn.";
    }

    /// True for a code that the fleet gives to calls. Its messages name deadlines and other instants, so the same failure
    /// has another text each time. `E_TOOL` stands for what handlers throw, with their own messages.
    private static boolean isOfFleet(String code) {
        return FLEET_CODES.contains(code) && !code.equals(ErrorCode.E_TOOL.name());
    }

    private static Digest128 digest(ToolReply reply) {
        try {
            CanonicalText text = new CanonicalText(512);
            switch (reply) {
                case ToolReply.Ok(var output) -> text.raw("[\"ok\",").value(output);
                case ToolReply.Failed(ToolError error) ->
                    text.raw("[\"error\",").string(error.code()).raw(",")
                            .string(isOfFleet(error.code()) ? "" : error.message());
                case ToolReply.Pending _ -> throw new IllegalArgumentException("a pending result is not final");
            }
            return Digest128.ofSha256(text.raw("]").digest());
        } catch (RuntimeException | StackOverflowError e) {
            return NO_JSON;
        }
    }
}
