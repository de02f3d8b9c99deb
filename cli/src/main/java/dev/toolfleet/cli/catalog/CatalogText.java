package dev.toolfleet.cli.catalog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.table.Grid;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.table.TextWidth;
import dev.toolfleet.cli.table.DurationText;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Catalogs for people. Pure.
final class CatalogText {
    private static final int NAMES = 10;
    private static final int WIDEST = 48;

    private final Style style;
    private final int width;
    private final Instant now;

    CatalogText(Style style, int width, Instant now) {
        this.style = style;
        this.width = width;
        this.now = now;
    }

    /// A step and its tools.
    ///
    /// @param items null when the content is not there any more
    List<String> catalog(StepCatalog step, @Nullable List<ToolCatalogItem> items) {
        List<String> lines = new ArrayList<>();
        lines.add(line("Agent", step.agentName() + " of instance " + step.instanceKey()));
        lines.add(line("Step", step.stepId() + " of turn " + step.turnId()
                + (step.stepIndex() == null ? "" : ", index " + step.stepIndex()) + (step.ended() ? ", ended" : "")));
        lines.add(line("Age", DurationText.coarse(Duration.between(step.publishedAt(), now)) + ", published "
                + step.publishedAt()));
        lines.add(line("Revision", step.bundle().isEmpty()
                ? "none: no bundle declares this Agent; apply the one that does"
                : revisions(step)));
        lines.add(line("Digest", step.digest()));
        if (step.policyDigest() != null)
            lines.add(line("Policy", step.policyDigest()));
        if (items == null)
            lines.add(line("Tools", style.paint(Tone.BAD,
                    "unknown: the content is not on tool.catalog.content any more; a new step publishes it again")));
        else if (items.isEmpty())
            lines.add(line("Tools", "none"));
        else
            lines.addAll(table(items));
        return lines;
    }

    private static String revisions(StepCatalog step) {
        StringBuilder text = new StringBuilder(step.revision() + " of " + step.bundle());
        if (step.revisions() != null)
            step.revisions()
                    .forEach((bundle, revision) -> text.append(", ").append(revision).append(" of ").append(bundle));
        return text.toString();
    }

    private List<String> table(List<ToolCatalogItem> items) {
        Grid grid = new Grid(width, "name", "group", "source", "description");
        for (ToolCatalogItem item : items)
            grid.row(cell(item.name()), item.group() == null ? "–" : cell(item.group()),
                    cell(item.source().type() + " " + item.source().name()),
                    item.description() == null ? "" : TextWidth.oneLine(item.description()));
        return grid.lines(style);
    }

    private static String cell(String text) {
        return TextWidth.cut(TextWidth.oneLine(text), WIDEST);
    }

    private String line(String name, String text) {
        return style.paint(Tone.DIM, TextWidth.left(name, NAMES)) + TextWidth.oneLine(text);
    }
}
