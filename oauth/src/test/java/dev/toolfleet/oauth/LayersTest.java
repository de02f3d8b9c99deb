package dev.toolfleet.oauth;

import java.nio.file.Path;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.layers.LayerRows;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

class LayersTest {
    private static final String ROOT = "dev.toolfleet.oauth.";

    private static final String ROWS = """
            owner  view
            server
            grant
            seal
            """;

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void importsGoDownTheRows() {
        assertThat(LayerRows.of(ROOT, ROWS).upwards(CLASSES)).isEmpty();
    }

    @Test
    void rulesKnowNeitherKafkaNorHttp() {
        noClasses().that().resideInAnyPackage(ROOT + "grant..", ROOT + "seal..").should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "java.net.http..", "com.nimbusds.oauth2.sdk.http..")
                .check(CLASSES);
    }
}
