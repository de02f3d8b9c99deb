package dev.toolfleet.cli.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// A small table whose columns are as wide as their widest cell; the last one takes what is left of the line.
public final class Grid {
    private static final String GAP = "  ";

    private final int width;
    private final List<String> head;
    private final List<List<String>> rows = new ArrayList<>();

    /// A table of at most `width` columns of a terminal.
    public Grid(int width, String... head) {
        this.width = width;
        this.head = List.of(head);
    }

    /// Adds a row, one cell for each column.
    public Grid row(String... cells) {
        if (cells.length != head.size())
            throw new IllegalArgumentException(cells.length + " cells for " + head.size() + " columns");
        rows.add(List.of(cells));
        return this;
    }

    /// Head, rule and rows. Cells that are numbers stand to the right.
    public List<String> lines(Style style) {
        int last = head.size() - 1;
        int[] widths = IntStream.range(0, head.size()).map(this::widest).toArray();
        int before = IntStream.range(0, last).map(i -> widths[i] + GAP.length()).sum();
        widths[last] = Math.max(1, Math.min(widths[last], width - before));
        List<String> lines = new ArrayList<>();
        lines.add(style.paint(Style.Tone.BOLD, line(head, widths)));
        lines.add(style.paint(Style.Tone.DIM,
                "─".repeat(Math.min(width, IntStream.of(widths).sum() + GAP.length() * last))));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private int widest(int column) {
        return Math.max(TextWidth.of(head.get(column)),
                rows.stream().mapToInt(row -> TextWidth.of(row.get(column))).max().orElse(0));
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            line.append(i == 0 ? "" : GAP)
                    .append(isNumber(i) ? TextWidth.right(cell, widths[i]) : TextWidth.left(cell, widths[i]));
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumber(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).matches("[0-9 ,.]+"));
    }
}
