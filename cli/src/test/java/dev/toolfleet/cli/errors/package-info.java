/// Tests of counted errors.
@NullMarked
package dev.toolfleet.cli.errors;

import org.jspecify.annotations.NullMarked;
