package dev.toolfleet.cli.fleet;

import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.Resource;
import dev.toolfleet.catalog.app.CatalogModules;
import dev.toolfleet.worker.runtime.builtin.BuiltinBundle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuiltInExtensionsIT {
    @Test
    void whatTheBuiltInBundleDeclaresTheCatalogServiceKnows() {
        for (Resource extension : BuiltinBundle.load().bundle().ofKind("Extension")) {
            assertThat(CatalogModules.of(Path::of).extension("@toolfleet/base",
                    new EntryKind.Builtin(extension.name()), Map.of())).as(extension.name()).isNotNull();
        }
    }
}
