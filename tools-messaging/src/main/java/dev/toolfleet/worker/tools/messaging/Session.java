package dev.toolfleet.worker.tools.messaging;

import java.util.function.Supplier;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.args.Arguments;
import dev.toolfleet.worker.tools.args.WorkPaths;

/// One call of a messaging tool.
///
/// @param paths where files may be saved
/// @param maxInlineBytes the largest file that a result holds
public record Session(Provider provider, Arguments args, MessagingAccount access, Supplier<WorkPaths> paths,
        int maxInlineBytes,
        Exchanges exchanges) {

    /// Makes a request; see [Exchanges#run].
    ///
    /// @param what for messages, such as the API's method
    /// @throws ToolException for any failure
    public <T> T exchange(String what, RepeatEffect effect, Exchange.Work<T> work) throws InterruptedException {
        return exchanges.run(what, effect, work);
    }

    /// Returns the error for an answer that cannot be read or reports a failure. If the request may have taken effect,
    /// the error is that the outcome is unknown.
    ///
    /// @param code the service's own, 0 if it has none
    /// @param maybeDone whether the request may have taken effect
    public ToolException failure(String what, int code, RepeatEffect effect, boolean maybeDone, String why,
            String suggestion) {
        String shown = access.token().hide(why);
        return effect == RepeatEffect.ONCE && maybeDone
                ? provider.unknown(what, shown)
                : provider.refusal(what, code, shown, suggestion);
    }
}
