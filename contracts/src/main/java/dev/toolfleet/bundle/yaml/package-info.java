/// Reads a folder of YAML files into a bundle whose every key and value knows its file, line and column.
@NullMarked
package dev.toolfleet.bundle.yaml;

import org.jspecify.annotations.NullMarked;
