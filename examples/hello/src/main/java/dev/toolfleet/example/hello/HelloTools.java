package dev.toolfleet.example.hello;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The module of the Tool `hello`: one handler for each export.
public final class HelloTools implements ToolModule {
    private static final Map<String, String> GREETINGS = new TreeMap<>(
            Map.of("en", "Hello, %s!", "es", "¡Hola, %s!", "ko", "%s님, 안녕하세요!"));

    /// The arguments of `greet`, mapped by name. Those that the schema does not require may be null.
    record Greet(String name, @Nullable String language) {}

    /// The result of `greet`.
    record Greeting(String greeting, String language) {}

    /// The arguments of `sign`.
    record Sign(String name) {}

    /// The arguments of `guests`: none.
    record Guests() {}

    /// The result of `sign` and `guests`.
    record GuestBook(int count, List<String> guests) {}

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("greet", ToolHandler.typed(Greet.class, HelloTools::greet),
                "sign", ToolHandler.typed(Sign.class, HelloTools::sign),
                "guests", ToolHandler.typed(Guests.class, HelloTools::guests));
    }

    private static Greeting greet(ToolContext ctx, Greet input) {
        String language = input.language() == null ? "en" : input.language();
        String greeting = GREETINGS.get(language);
        if (greeting == null)
            throw new ToolException("E_UNKNOWN_LANGUAGE", "I cannot greet in '" + language + "'.")
                    .suggestion("Pass one of these languages: " + String.join(", ", GREETINGS.keySet()) + ".");
        return new Greeting(greeting.formatted(input.name()), language);
    }

    /// Signs the guest book of the instance. Every instance has a folder of its own, so each has its own book. Its
    /// calls that are not read-only run one after the other: no lock is needed.
    private static GuestBook sign(ToolContext ctx, Sign input) throws IOException {
        Files.writeString(book(ctx), ctx.idempotencyKey() + "\t" + input.name() + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        return read(ctx);
    }

    /// Returns whether a call of `sign` left its line in the book. Without a line, the outcome is unknown: the call may
    /// still be about to write it, and nothing here would reject it.
    @Override
    public Reconciliation reconcile(String export, ToolContext ctx, ObjectNode input) throws IOException {
        String signature = ctx.idempotencyKey() + "\t";
        boolean signed = export.equals("sign") && lines(ctx).stream().anyMatch(line -> line.startsWith(signature));
        return signed ? Reconciliation.happened(read(ctx)) : Reconciliation.unknown();
    }

    private static GuestBook guests(ToolContext ctx, Guests input) throws IOException {
        return read(ctx);
    }

    private static GuestBook read(ToolContext ctx) throws IOException {
        List<String> guests = lines(ctx).stream().map(line -> line.substring(line.indexOf('\t') + 1)).toList();
        return new GuestBook(guests.size(), guests);
    }

    private static List<String> lines(ToolContext ctx) throws IOException {
        return Files.exists(book(ctx)) ? Files.readAllLines(book(ctx)) : List.of();
    }

    private static Path book(ToolContext ctx) {
        return ctx.workdir().resolve("guests.txt");
    }
}
