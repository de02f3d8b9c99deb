/// Tests.
@NullMarked
package dev.toolfleet.catalog.builtin;

import org.jspecify.annotations.NullMarked;
