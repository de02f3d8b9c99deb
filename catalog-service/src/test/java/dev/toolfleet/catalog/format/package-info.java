/// Formats, checked against what providers publish.
@NullMarked
package dev.toolfleet.catalog.format;

import org.jspecify.annotations.NullMarked;
