@NullMarked
package dev.toolfleet.worker.tools.texttransform;

import org.jspecify.annotations.NullMarked;
