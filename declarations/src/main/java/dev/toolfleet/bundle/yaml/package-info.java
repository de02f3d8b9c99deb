/// Reads a folder of YAML files into a bundle, with file, line and column of every key and value.
@NullMarked
package dev.toolfleet.bundle.yaml;

import org.jspecify.annotations.NullMarked;
