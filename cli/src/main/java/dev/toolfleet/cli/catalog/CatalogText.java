package dev.toolfleet.cli.catalog;

import java.util.List;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Catalogs for people. Pure.
final class CatalogText {
    private static final int NAMES = 10;
    private static final int WIDEST = 48;

    private final View view;

    CatalogText(View view) {
        this.view = view;
    }

    /// A step and its tools.
    ///
    /// @param items null when the content is not there any more
    List<String> catalog(StepCatalog step, @Nullable List<ToolCatalogItem> items) {
        View.Card card = view.card(NAMES)
                .line("Agent", View.shown(step.agentName() + " of instance " + step.instanceKey()))
                .line("Step", View.shown(step.stepId() + " of turn " + step.turnId()
                        + (step.stepIndex() == null ? "" : ", index " + step.stepIndex())
                        + (step.ended() ? ", ended" : "")))
                .line("Age", view.age(step.publishedAt()) + ", published " + step.publishedAt())
                .line("Revision", step.bundle().isEmpty()
                        ? "none: no bundle declares this Agent; apply the one that does"
                        : View.shown(revisions(step)))
                .line("Digest", View.shown(step.digest()))
                .lineIf(step.policyDigest() != null, "Policy", View.shown(String.valueOf(step.policyDigest())));
        if (items == null)
            card.line("Tools", view.paint(Tone.BAD,
                    "unknown: the content is not on tool.catalog.content any more; a new step publishes it again"));
        else if (items.isEmpty())
            card.line("Tools", "none");
        else
            card.add(table(items));
        return card.lines();
    }

    private static String revisions(StepCatalog step) {
        StringBuilder text = new StringBuilder(step.revision() + " of " + step.bundle());
        if (step.revisions() != null)
            step.revisions()
                    .forEach((bundle, revision) -> text.append(", ").append(revision).append(" of ").append(bundle));
        return text.toString();
    }

    private List<String> table(List<ToolCatalogItem> items) {
        Grid grid = view.grid("name", "group", "source", "description");
        for (ToolCatalogItem item : items)
            grid.row(View.cell(item.name(), WIDEST), View.cell(item.group(), WIDEST),
                    View.cell(item.source().type() + " " + item.source().name(), WIDEST),
                    item.description() == null ? "" : View.shown(item.description()));
        return view.lines(grid);
    }
}
