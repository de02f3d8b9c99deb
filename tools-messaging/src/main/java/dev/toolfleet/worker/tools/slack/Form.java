package dev.toolfleet.worker.tools.slack;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.toolfleet.worker.tools.args.Arguments;

/// Arguments of a method, from those of a call. Absent arguments are left to Slack.
record Form(Arguments args, Map<String, String> fields) {
    Form(Arguments args) {
        this(args, new LinkedHashMap<>());
    }

    Form required(String field, String key) {
        return put(field, args.requiredText(key));
    }

    Form text(String field, String key) {
        return args.input().has(key) ? put(field, args.requiredText(key)) : this;
    }

    Form flag(String field, String key) {
        return args.input().has(key) ? put(field, Boolean.toString(args.flag(key, false))) : this;
    }

    Form put(String field, String value) {
        fields.put(field, value);
        return this;
    }

    String get(String field) {
        return fields.getOrDefault(field, "");
    }
}
