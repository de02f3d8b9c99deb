package dev.toolfleet.embedded.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Resolves [KafkaFixture] parameters of constructors, tests and lifecycle methods.
///
/// **Contract.** All test classes of a JVM share one broker with temporary data: it starts with the first fixture and
/// ends with the run. It is embedded in the JVM, or with the system property `toolfleet.test.broker=container` the
/// Apache image in a container where a Docker engine answers. A test, its constructor and its `@BeforeEach` and
/// `@AfterEach` get the same fixture; a `@BeforeAll` has one of its own. A fixture is closed, and its topics deleted,
/// when its test is over.
public final class EmbeddedKafkaExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(EmbeddedKafkaExtension.class);

    /// For JUnit.
    public EmbeddedKafkaExtension() {}

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext rootContext) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KafkaFixture.class;
    }

    @Override
    public KafkaFixture resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // A store also finds the entries of its parents, so the key names the owner of the fixture.
        return context.getStore(NAMESPACE).computeIfAbsent(context.getUniqueId(), id -> broker(context).fixture(),
                KafkaFixture.class);
    }

    private static SharedBroker broker(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .computeIfAbsent(SharedBroker.class, type -> SharedBroker.start(), SharedBroker.class);
    }
}
