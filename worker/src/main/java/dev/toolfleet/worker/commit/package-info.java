/// The transaction loop: publishes outcomes together with the offsets of their calls.
@NullMarked
package dev.toolfleet.worker.commit;

import org.jspecify.annotations.NullMarked;
