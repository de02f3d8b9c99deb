package dev.toolfleet.worker.mutations;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/// Known bugs are found. The table's texts are compared with the sources in each build; the bugs are planted, one after
/// the other, with `-Dtoolfleet.mutations=all`, or parts of their names, separated by commas, instead of `all`.
class MutationTableTest {
    private static final String ALL = "all";
    private static final int SEEDS = Integer.getInteger("toolfleet.mutations.seeds", 1_000);

    @Test
    void everyMutationFitsTheSources() {
        List<Mutation> table = MutationTable.read();
        assertThat(table).extracting(Mutation::name).doesNotHaveDuplicates().hasSizeGreaterThan(60);
        for (Mutation mutation : table) {
            assertThat(mutation.applied(MutationTable.source(mutation))).contains(mutation.to());
            mutation.tests().forEach(test -> assertThat(MutationRun.testClass(test)).as(mutation.name()).isNotNull());
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "toolfleet.mutations", matches = ".+")
    void everyMutationIsFound() throws Exception {
        String wanted = System.getProperty("toolfleet.mutations");
        List<String> parts = List.of(wanted.split(","));
        List<Mutation> table = MutationTable.read().stream()
                .filter(mutation -> wanted.equals(ALL) || parts.stream().anyMatch(mutation.name()::contains)).toList();
        assertThat(table).as("mutations named '%s'", wanted).isNotEmpty();
        Path folder = Files.createDirectories(Path.of("target", "mutations"));
        MutationRun run = new MutationRun(folder, SEEDS);
        int width = table.stream().mapToInt(mutation -> mutation.name().length()).max().orElse(0);
        List<String> survivors = new ArrayList<>();
        for (Mutation mutation : table) {
            String found = run.of(mutation);
            if (found.isEmpty())
                survivors.add(mutation.name());
            System.out.println("| " + padded(mutation.name(), width) + " | "
                    + (found.isEmpty() ? "SURVIVED" : found) + " |");
        }
        assertThat(survivors).as("mutations that neither a unit test nor %s worlds find: %s", SEEDS,
                survivors.stream().collect(Collectors.joining("; "))).isEmpty();
    }

    private static String padded(String name, int width) {
        return name + " ".repeat(width - name.length());
    }
}
