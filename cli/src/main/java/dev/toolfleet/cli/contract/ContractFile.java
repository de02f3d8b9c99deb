package dev.toolfleet.cli.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Nearest;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of the cases of a contract: JSON Lines, one case a line; blank lines and lines that begin with `#` are
/// skipped.
///
/// | field | meaning |
/// |---|---|
/// | `name` | of the tool, such as `text__count` |
/// | `args` | the arguments; `{}` without it |
/// | `output` | the expected output; any without it |
/// | `fails` | code of the expected error |
/// | `slow` | true: the arguments keep the handler busy, and it is interrupted |
/// | `varies` | true: a repeated call may have another output |
final class ContractFile {
    private static final Set<String> FIELDS = Set.of("name", "args", "output", "fails", "slow", "varies");

    private final Path file;
    private final Set<String> names;
    private final List<String> problems = new ArrayList<>();
    private final List<ContractCase> cases = new ArrayList<>();

    private ContractFile(Path file, Set<String> names) {
        this.file = file;
        this.names = names;
    }

    /// Reads all cases.
    ///
    /// @param names of the tools that can be tested
    /// @throws Failure (invalid) that names each wrong line
    static List<ContractCase> read(Path file, Set<String> names) {
        ContractFile reader = new ContractFile(file, new TreeSet<>(names));
        int number = 0;
        for (String line : reader.lines())
            reader.line(++number, line.strip());
        if (!reader.problems.isEmpty())
            throw Failure.invalid(String.join("\n", reader.problems));
        return reader.cases;
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw Failure.invalid(Files.exists(file)
                    ? "the cases in " + file + " cannot be read: " + e
                    : "there is no " + file + ", which holds the cases of the contract, one a line, such as\n"
                            + "  {\"name\": \"" + names.stream().findFirst().orElse("text__count")
                            + "\", \"args\": {}}\n"
                            + "`toolfleet test --help` shows what else a case may say");
        }
    }

    private void line(int number, String text) {
        if (text.isEmpty() || text.startsWith("#"))
            return;
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object)
                cases.add(contractCase(number, object));
            else
                throw new Wrong("no JSON object");
        } catch (JacksonException e) {
            problem(number, "not JSON: " + e.getOriginalMessage());
        } catch (Wrong e) {
            problem(number, String.valueOf(e.getMessage()));
        }
    }

    private ContractCase contractCase(int number, ObjectNode line) throws Wrong {
        for (String field : line.propertyNames()) {
            if (!FIELDS.contains(field))
                throw new Wrong("unknown field '" + field + "'" + meant(field, FIELDS));
        }
        String name = line.path("name").stringValue("");
        if (!names.contains(name))
            throw new Wrong("the bundle has no tool '" + name + "' of its own" + meant(name, names) + "; it has "
                    + String.join(", ", names));
        JsonNode args = line.path("args");
        if (!args.isMissingNode() && !args.isObject())
            throw new Wrong("args is no JSON object");
        Optional<String> fails = Optional.ofNullable(line.path("fails").stringValue(null));
        boolean slow = flag(line, "slow");
        if ((fails.isPresent() && (slow || line.has("output"))) || (slow && line.has("output")))
            throw new Wrong("a case has one of output, fails and slow");
        if (line.has("fails") && fails.isEmpty())
            throw new Wrong("fails is no text; write the code of the error, such as E_TOOL");
        return new ContractCase(number, name,
                args instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode(), line.get("output"), fails,
                slow, flag(line, "varies"));
    }

    private static boolean flag(ObjectNode line, String field) throws Wrong {
        JsonNode value = line.path(field);
        if (!value.isMissingNode() && !value.isBoolean())
            throw new Wrong(field + " is neither true nor false");
        return value.booleanValue(false);
    }

    private static String meant(String name, Set<String> known) {
        return Nearest.to(name, known).map(near -> "; did you mean '" + near + "'?").orElse("");
    }

    private void problem(int number, String text) {
        problems.add(file + ":" + number + ": " + text);
    }

    private static final class Wrong extends Exception {
        Wrong(String reason) {
            super(reason);
        }
    }
}
