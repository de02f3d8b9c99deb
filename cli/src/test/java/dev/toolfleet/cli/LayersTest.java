package dev.toolfleet.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.cli";

    /// Rows from the top down: a package imports from rows below its own, never from its own row.
    private static final List<String> ROWS = """
            main
            command
            demo dev
            console
            approval backtest explain training
            access audit budget call catalog contract errors grant handle init label letter mcp play policy tail
            session
            fleet
            bundle
            diff
            table
            script
            terminal
            """.lines().toList();

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        LayeredArchitecture rows = layeredArchitecture().consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitecture();
        List<String> above = new ArrayList<>();
        for (String row : ROWS) {
            List<String> names = List.of(row.split(" +"));
            for (String name : names)
                rows = rows.layer(name).definedBy(name.equals("main") ? ROOT : ROOT + "." + name + "..");
            for (String name : names)
                rows = above.isEmpty()
                        ? rows.whereLayer(name).mayNotBeAccessedByAnyLayer()
                        : rows.whereLayer(name).mayOnlyBeAccessedByLayers(above.toArray(String[]::new));
            above.addAll(names);
        }
        rows.check(CLASSES);
    }
}
