package dev.toolfleet.layers;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests with three classes: this one needs the other two, and they do not need each other.
class LayerRowsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter().importClasses(ToolCall.class,
            LayerRowsTest.class,
            Json.class);

    @Test
    void anImportFromARowBelowIsAllowed() {
        assertThat(LayerRows.of("dev.toolfleet.", "layers\nwire\njson\n").upwards(CLASSES)).isEmpty();
    }

    @Test
    void anImportFromARowAboveIsFound() {
        assertThat(LayerRows.of("dev.toolfleet.", "wire\njson\nlayers\n").upwards(CLASSES))
                .contains(LayerRowsTest.class.getName() + " -> " + ToolCall.class.getName());
    }

    @Test
    void anImportFromItsOwnRowIsFound() {
        assertThat(LayerRows.of("dev.toolfleet.", "layers wire json\n").upwards(CLASSES))
                .contains(LayerRowsTest.class.getName() + " -> " + ToolCall.class.getName());
    }

    @Test
    void packagesOfAPatternStandEachForItself() {
        assertThat(LayerRows.of("dev.", "toolfleet\n").upwards(CLASSES)).isEmpty();
        assertThat(LayerRows.of("dev.", "toolfleet.*\n").upwards(CLASSES))
                .contains(LayerRowsTest.class.getName() + " -> " + Json.class.getName());
        assertThat(LayerRows.of("dev.", "toolfleet.layers\ntoolfleet.*\n").upwards(CLASSES))
                .as("the longest name counts").isEmpty();
    }

    @Test
    void aPackageWithoutARowIsRefused() {
        LayerRows rows = LayerRows.of("dev.toolfleet.", "layers\nwire\n");

        assertThatThrownBy(() -> rows.upwards(CLASSES)).hasMessageContaining("dev.toolfleet.json has no row");
    }
}
