package dev.toolfleet.embedded;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import kafka.server.FaultHandlerFactory;
import org.apache.kafka.server.fault.FaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs the broker's faults and keeps the first fatal one. The broker's default handlers end the JVM, which here
/// belongs to the caller.
final class FirstFault implements FaultHandlerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(FirstFault.class);

    private final AtomicReference<Optional<Throwable>> first = new AtomicReference<>(Optional.empty());

    @Override
    public FaultHandler build(String name, boolean fatal, Runnable action) {
        return (message, cause) -> {
            Optional<Throwable> source = Optional.ofNullable(cause);
            LOG.atError().addKeyValue("handler", name).addKeyValue("fatal", fatal).addKeyValue("fault", message)
                    .setCause(source.orElse(null)).log("broker fault");
            RuntimeException fault = new IllegalStateException(message, source.orElse(null));
            if (fatal) {
                first.compareAndSet(Optional.empty(), Optional.of(source.orElse(fault)));
            }
            action.run();
            return fault;
        };
    }

    Optional<Throwable> cause() {
        return first.get();
    }
}
