/// Who may call what, and how much at a time.
@NullMarked
package dev.toolfleet.worker.policy;

import org.jspecify.annotations.NullMarked;
