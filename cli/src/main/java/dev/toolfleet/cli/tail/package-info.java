/// `toolfleet tail`: follows calls, results, errors, progress, catalogs and the audit as they are written.
@NullMarked
package dev.toolfleet.cli.tail;

import org.jspecify.annotations.NullMarked;
