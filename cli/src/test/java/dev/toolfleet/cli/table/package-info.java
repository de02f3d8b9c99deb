/// How tables look.
@NullMarked
package dev.toolfleet.cli.table;

import org.jspecify.annotations.NullMarked;
