/// Tests of removing contents.
@NullMarked
package dev.toolfleet.catalog.sweep;

import org.jspecify.annotations.NullMarked;
