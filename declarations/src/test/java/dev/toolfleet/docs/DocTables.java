package dev.toolfleet.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Lines and tables of the Markdown files under `docs/`. Tests run in their module's folder.
public final class DocTables {
    private static final Path FOLDER = Path.of("..", "docs");

    private DocTables() {}

    /// The lines of a document.
    public static List<String> lines(String file) {
        try {
            return Files.readAllLines(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One row of a table.
    ///
    /// @param cells the cells' text by column
    public record Row(Map<String, String> cells) {
        /// The text of one cell; a column that is not there fails the test.
        public String cell(String column) {
            String text = cells.get(column);
            if (text == null)
                throw new AssertionError("no column '" + column + "' in " + cells);
            return text;
        }
    }

    /// The rows of the table whose first column is called `first`.
    public static List<Row> table(String file, String first) {
        List<Row> rows = new ArrayList<>();
        List<String> columns = List.of();
        for (String line : lines(file)) {
            if (!line.startsWith("|")) {
                columns = List.of();
                continue;
            }
            List<String> cells = cells(line);
            if (columns.isEmpty())
                columns = cells;
            else if (columns.get(0).equals(first) && !cells.get(0).startsWith("--"))
                rows.add(row(columns, cells));
        }
        if (rows.isEmpty())
            throw new AssertionError("no table of '" + first + "' in " + file);
        return rows;
    }

    private static Row row(List<String> columns, List<String> cells) {
        if (columns.size() != cells.size())
            throw new AssertionError("columns " + columns + " but cells " + cells);
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++)
            row.put(columns.get(i), cells.get(i));
        return new Row(row);
    }

    private static List<String> cells(String line) {
        String inner = line.strip().substring(1);
        return Arrays.stream(inner.substring(0, inner.length() - 1).split("\\|", -1)).map(String::strip).toList();
    }
}
