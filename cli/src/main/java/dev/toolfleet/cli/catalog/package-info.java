/// The catalogs of a running fleet, as people look at them.
@NullMarked
package dev.toolfleet.cli.catalog;

import org.jspecify.annotations.NullMarked;
