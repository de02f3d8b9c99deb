package dev.toolfleet.wire;

import java.lang.reflect.Field;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.jsontype.TypeIdResolver;

/// Reader of enumerated values that this version does not know. [UnknownKinds] counts each. The value becomes the
/// constant that is marked [JsonEnumDefaultValue]; without such a constant the record is rejected. [#ALLOW] and
/// [#REFUSE] select the behaviour.
final class UnknownValues extends DeserializationProblemHandler {
    /// Reads unknown values as unknown.
    static final UnknownValues ALLOW = new UnknownValues(true);
    /// Rejects every record with an unknown value.
    static final UnknownValues REFUSE = new UnknownValues(false);

    private static final ClassValue<Default> DEFAULTS = new ClassValue<>() {
        @Override
        protected Default computeValue(Class<?> type) {
            return new Default(type.isEnum() ? defaultOf(type) : null);
        }
    };

    private final boolean allow;

    private UnknownValues(boolean allow) {
        this.allow = allow;
    }

    private record Default(@Nullable Object constant) {}

    @Override
    public Object handleWeirdStringValue(DeserializationContext context, Class<?> type, String value, String message) {
        if (!type.isEnum())
            return NOT_HANDLED;
        UnknownKinds.meet(UnknownKinds.nameOf(type), value);
        Object unknown = allow ? DEFAULTS.get(type).constant() : null;
        return unknown == null ? NOT_HANDLED : unknown;
    }

    @Override
    public @Nullable JavaType handleUnknownTypeId(DeserializationContext context, JavaType base, String id,
            TypeIdResolver resolver, String message) {
        UnknownKinds.meet(UnknownKinds.nameOf(base.getRawClass()), id);
        return null;
    }

    private static @Nullable Object defaultOf(Class<?> type) {
        try {
            for (Field field : type.getFields()) {
                if (field.isAnnotationPresent(JsonEnumDefaultValue.class))
                    return field.get(null);
            }
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public constant of " + type.getName() + " cannot be read", e);
        }
    }
}
