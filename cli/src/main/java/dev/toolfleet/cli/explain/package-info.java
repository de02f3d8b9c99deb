/// Explanation of a call: evidence from the topics and the workers, and the verdict.
@NullMarked
package dev.toolfleet.cli.explain;

import org.jspecify.annotations.NullMarked;
