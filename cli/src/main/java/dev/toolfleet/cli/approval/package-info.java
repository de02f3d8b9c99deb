/// `toolfleet approvals`, `approve` and `reject`: what waits for a person, and what a person says.
@NullMarked
package dev.toolfleet.cli.approval;

import org.jspecify.annotations.NullMarked;
