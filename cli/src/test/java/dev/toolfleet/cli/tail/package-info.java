/// Tests of following topics.
@NullMarked
package dev.toolfleet.cli.tail;

import org.jspecify.annotations.NullMarked;
