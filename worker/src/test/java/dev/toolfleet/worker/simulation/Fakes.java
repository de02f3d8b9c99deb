package dev.toolfleet.worker.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Makes a small class answer for a large interface: what it does not declare itself throws.
final class Fakes {
    private record Asked(Class<?> target, Method method) {}

    private static final Map<Asked, Optional<Method>> METHODS = new ConcurrentHashMap<>();

    private Fakes() {}

    static <T> T of(Class<T> type, Object target) {
        InvocationHandler handler = (_, method, arguments) -> {
            Method found = METHODS.computeIfAbsent(new Asked(target.getClass(), method), Fakes::find).orElseThrow(
                    () -> new UnsupportedOperationException(method.toString()));
            try {
                return found.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }

    private static Optional<Method> find(Asked asked) {
        Method method = asked.method();
        try {
            Method found = asked.target().getMethod(method.getName(), method.getParameterTypes());
            found.setAccessible(true);
            return Optional.of(found);
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        }
    }
}
