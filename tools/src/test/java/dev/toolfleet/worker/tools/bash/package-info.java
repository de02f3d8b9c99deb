/// Tests.
@NullMarked
package dev.toolfleet.worker.tools.bash;

import org.jspecify.annotations.NullMarked;
