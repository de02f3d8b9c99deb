/// See the package under test.
@NullMarked
package dev.toolfleet.cli.catalog;

import org.jspecify.annotations.NullMarked;
