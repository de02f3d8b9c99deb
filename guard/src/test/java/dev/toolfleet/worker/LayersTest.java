package dev.toolfleet.worker;

import java.nio.file.Path;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

class LayersTest {
    @Test
    void theGuardImportsContractsAndDeclarationsOnly() {
        classes().should().onlyDependOnClassesThat().resideInAnyPackage("dev.toolfleet.worker.guard",
                "dev.toolfleet.bundle", "dev.toolfleet.config", "dev.toolfleet.error", "dev.toolfleet.json",
                "dev.toolfleet.middleware", "dev.toolfleet.policy", "dev.toolfleet.resources", "dev.toolfleet.tool",
                "dev.toolfleet.wire", "tools.jackson..", "com.google.re2j..", "org.jsoup..", "org.jspecify..", "java..")
                .check(new ClassFileImporter().importPath(Path.of("target", "classes")));
    }
}
