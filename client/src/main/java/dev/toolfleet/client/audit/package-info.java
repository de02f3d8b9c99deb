/// Hash chains in the records of `tool.audit`: how they are written and verified.
@NullMarked
package dev.toolfleet.client.audit;

import org.jspecify.annotations.NullMarked;
