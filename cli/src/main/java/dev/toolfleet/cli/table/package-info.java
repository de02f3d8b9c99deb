/// Tables for terminals: columns, widths, colours. Pure.
@NullMarked
package dev.toolfleet.cli.table;

import org.jspecify.annotations.NullMarked;
