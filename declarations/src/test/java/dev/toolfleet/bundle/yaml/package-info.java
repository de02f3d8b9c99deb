/// Tests of the bundle loader.
@NullMarked
package dev.toolfleet.bundle.yaml;

import org.jspecify.annotations.NullMarked;
