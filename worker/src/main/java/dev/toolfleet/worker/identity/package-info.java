/// Identity of calls: the meaning of a record, and the memory of calls that were answered, run or wait.
@NullMarked
package dev.toolfleet.worker.identity;

import org.jspecify.annotations.NullMarked;
