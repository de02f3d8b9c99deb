package dev.toolfleet.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows of a report, as Markdown or CSV.
///
/// @param columns their names
/// @param rows each with a cell for each column
public record Table(List<String> columns, List<List<String>> rows) {
    /// Checks that every row has all cells.
    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size())
                throw new IllegalArgumentException(row.size() + " cells for the columns " + columns + ": " + row);
        }
    }

    /// Lines of a Markdown table; numbers stand to the right.
    public List<String> markdown() {
        List<String> lines = new ArrayList<>();
        int[] widths = IntStream.range(0, columns.size())
                .map(column -> Stream.concat(Stream.of(columns), rows.stream())
                        .mapToInt(row -> row.get(column).length()).max().orElse(0))
                .toArray();
        lines.add(line(columns, widths));
        lines.add(IntStream.range(0, columns.size())
                .mapToObj(column -> "-".repeat(widths[column] + 1) + (isNumber(column) ? ":" : "-"))
                .collect(Collectors.joining("|", "|", "|")));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private String line(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size()).mapToObj(column -> {
            String space = " ".repeat(widths[column] - cells.get(column).length());
            return isNumber(column) ? " " + space + cells.get(column) + " " : " " + cells.get(column) + space + " ";
        }).collect(Collectors.joining("|", "|", "|"));
    }

    private boolean isNumber(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column).matches("[-0-9 ,.×%]+"));
    }

    /// Lines of comma-separated values (RFC 4180), the names of the columns first.
    public List<String> csv() {
        return Stream.concat(Stream.of(columns), rows.stream())
                .map(row -> row.stream().map(Table::quoted).collect(Collectors.joining(","))).toList();
    }

    private static String quoted(String cell) {
        return cell.matches("[^,\"\\r\\n]*") ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }
}
