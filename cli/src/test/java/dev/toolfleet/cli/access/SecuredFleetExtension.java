package dev.toolfleet.cli.access;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives tests the one [SecuredFleet] of this JVM.
final class SecuredFleetExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SecuredFleetExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SecuredFleet.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .computeIfAbsent(SecuredFleet.class, type -> SecuredFleet.start(), SecuredFleet.class);
    }
}
