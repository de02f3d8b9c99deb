/// `toolfleet approvals`, `approve` and `reject`: calls that wait for a person, and the person's decisions.
@NullMarked
package dev.toolfleet.cli.approval;

import org.jspecify.annotations.NullMarked;
