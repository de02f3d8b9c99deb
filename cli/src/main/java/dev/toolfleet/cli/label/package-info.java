/// Labels of instances: shows and clears them.
@NullMarked
package dev.toolfleet.cli.label;

import org.jspecify.annotations.NullMarked;
