/// Description of the gateway's API as OpenAPI 3.1.
@NullMarked
package dev.toolfleet.gateway.openapi;

import org.jspecify.annotations.NullMarked;
