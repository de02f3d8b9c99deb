package dev.toolfleet.example.httpagent;

import java.util.Map;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;

/// The module of the Tool `shop`: a quote at once, a print that takes its time elsewhere, and a payment.
public final class PrintShop implements ToolModule {
    private static final int CENTS_PER_PAGE = 4;

    /// The arguments of `quote` and `print`.
    record Pages(int pages) {}

    /// The arguments of `pay`.
    record Payment(int cents) {}

    /// The result of `quote`.
    record Quote(int pages, int cents) {}

    /// The output of `print` until the shop has printed.
    record Ordered(String note) {}

    /// The result of `pay`.
    record Receipt(int paid) {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of(
                "quote", ToolHandler.typed(Pages.class, (ctx, order) -> new Quote(order.pages(),
                        order.pages() * CENTS_PER_PAGE)),
                // The shop learns the handle from the pending result, and completes the call by HTTP.
                "print", ToolHandler.typed(Pages.class, (ctx, order) -> ToolOutput.pending(ctx.newHandle(),
                        new Ordered(order.pages() + " pages are ordered.")).waitingFor("print shop")),
                "pay", ToolHandler.typed(Payment.class, (ctx, payment) -> new Receipt(payment.cents())));
    }
}
