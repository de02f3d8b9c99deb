/// Calls that wait for a person, as the person may see them.
@NullMarked
package dev.toolfleet.client.approval;

import org.jspecify.annotations.NullMarked;
