/// Tests of the transaction loop and what it is made of.
@NullMarked
package dev.toolfleet.worker.commit;

import org.jspecify.annotations.NullMarked;
