/// The transaction loop: what finished is published together with its offsets.
@NullMarked
package dev.toolfleet.worker.commit;

import org.jspecify.annotations.NullMarked;
