/// Cost of single steps, measured with JMH in a process of its own.
@NullMarked
package dev.toolfleet.bench.micro;

import org.jspecify.annotations.NullMarked;
