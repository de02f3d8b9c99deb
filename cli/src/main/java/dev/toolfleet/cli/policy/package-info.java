/// Policy for people: explanations of its decisions, and the operator's switch.
@NullMarked
package dev.toolfleet.cli.policy;

import org.jspecify.annotations.NullMarked;
