/// Tests of `toolfleet labels`.
@NullMarked
package dev.toolfleet.cli.label;

import org.jspecify.annotations.NullMarked;
