/// Hash chains in the records of `tool.audit`: writing and verifying them.
@NullMarked
package dev.toolfleet.client.audit;

import org.jspecify.annotations.NullMarked;
