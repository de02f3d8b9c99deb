package dev.toolfleet.worker.app;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.toolfleet.worker.egress.CommandLogKeys;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// `docs/operations.md` has every key of the worker's log lines, those of commands among them.
class LogKeysDocsTest {
    private static final Pattern KEY = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    @Test
    void everyKeyIsDocumentedAndNoOther() throws IOException, IllegalAccessException {
        String docs = Files.readString(Path.of("..", "docs", "operations.md"));
        String section = docs.replaceFirst("(?s).*\n### Keys of a worker's lines\n", "").replaceFirst("(?s)\n##.*", "");
        Set<String> documented = new TreeSet<>();
        for (Matcher row = KEY.matcher(section); row.find();)
            documented.add(row.group(1));

        Set<String> keys = new TreeSet<>();
        for (Class<?> constants : List.of(LogKeys.class, CommandLogKeys.class)) {
            for (Field field : constants.getFields())
                keys.add((String) field.get(null));
        }
        assertThat(documented).isEqualTo(keys);
    }
}
