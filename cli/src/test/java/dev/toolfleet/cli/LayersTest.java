package dev.toolfleet.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures;
import org.junit.jupiter.api.Test;

/// The rows of this module, top down; a package imports only from rows below its own.
class LayersTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.toolfleet.cli");

    @Test
    void importsGoDownTheRows() {
        Architectures.layeredArchitecture().consideringOnlyDependenciesInLayers()
                .layer("main").definedBy("dev.toolfleet.cli")
                .layer("command").definedBy("dev.toolfleet.cli.command")
                .layer("scenes").definedBy("dev.toolfleet.cli.demo", "dev.toolfleet.cli.dev", "dev.toolfleet.cli.play",
                        "dev.toolfleet.cli.call", "dev.toolfleet.cli.handle", "dev.toolfleet.cli.init",
                        "dev.toolfleet.cli.training", "dev.toolfleet.cli.catalog", "dev.toolfleet.cli.policy",
                        "dev.toolfleet.cli.approval", "dev.toolfleet.cli.tail", "dev.toolfleet.cli.errors",
                        "dev.toolfleet.cli.letter", "dev.toolfleet.cli.access", "dev.toolfleet.cli.explain",
                        "dev.toolfleet.cli.audit")
                .layer("fleet").definedBy("dev.toolfleet.cli.fleet")
                .layer("bundle").definedBy("dev.toolfleet.cli.bundle")
                .layer("pure")
                .definedBy("dev.toolfleet.cli.script", "dev.toolfleet.cli.table", "dev.toolfleet.cli.diff")
                .layer("terminal").definedBy("dev.toolfleet.cli.terminal")
                .whereLayer("main").mayNotBeAccessedByAnyLayer()
                .whereLayer("command").mayOnlyBeAccessedByLayers("main")
                .whereLayer("scenes").mayOnlyBeAccessedByLayers("command")
                .whereLayer("fleet").mayOnlyBeAccessedByLayers("command", "scenes")
                .whereLayer("bundle").mayOnlyBeAccessedByLayers("command", "scenes", "fleet")
                .check(CLASSES);
    }
}
