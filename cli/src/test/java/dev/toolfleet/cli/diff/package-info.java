/// See the package under test.
@NullMarked
package dev.toolfleet.cli.diff;

import org.jspecify.annotations.NullMarked;
