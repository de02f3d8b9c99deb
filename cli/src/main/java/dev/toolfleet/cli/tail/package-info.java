/// `toolfleet tail`: follows calls, results, errors, progress and catalogs as they are written.
@NullMarked
package dev.toolfleet.cli.tail;

import org.jspecify.annotations.NullMarked;
