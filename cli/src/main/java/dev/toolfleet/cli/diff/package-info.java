/// Differences between two JSON documents, or two sets of them, field by field.
@NullMarked
package dev.toolfleet.cli.diff;

import org.jspecify.annotations.NullMarked;
