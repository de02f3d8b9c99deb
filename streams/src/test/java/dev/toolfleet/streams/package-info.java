/// Tests.
@NullMarked
package dev.toolfleet.streams;

import org.jspecify.annotations.NullMarked;
