package dev.toolfleet.console.page;

import dev.toolfleet.console.operate.OperatorCommands.Outcome;
import io.javalin.http.Context;

/// Model of the page that shows the outcome of a command.
///
/// @param back the address to go on with
record OutcomeModel(Frame frame, Outcome outcome, String back) {
    private static final int UNFIT = 422;

    static void write(Context ctx, Frame frame, Outcome outcome, String back) {
        if (!outcome.done())
            ctx.status(UNFIT);
        Templates.page(ctx, "outcome", new OutcomeModel(frame, outcome, back));
    }
}
