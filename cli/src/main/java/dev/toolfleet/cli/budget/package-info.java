/// Amounts that instances, agents and users have spent of budgets.
@NullMarked
package dev.toolfleet.cli.budget;

import org.jspecify.annotations.NullMarked;
