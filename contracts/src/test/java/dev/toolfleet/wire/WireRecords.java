package dev.toolfleet.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.toolfleet.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Every wire record with its schema and golden files, found and not listed, so that none can be forgotten.
final class WireRecords {
    private static final List<Class<?>> ALL = find();

    private WireRecords() {}

    /// Returns all records of the package except those of decoders, of keys and inside others, which do not travel.
    static List<Class<?>> all() {
        return ALL;
    }

    private static List<Class<?>> find() {
        return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.toolfleet.wire").stream().filter(JavaClass::isRecord)
                .filter(type -> !type.isAssignableTo(DecodedCall.class)
                        && !type.isAssignableTo(DecodedCompletion.class)
                        && !type.getName().startsWith(BudgetPlace.class.getName())
                        && !type.getModifiers().contains(JavaModifier.PRIVATE))
                .<Class<?>>map(JavaClass::reflect)
                .sorted(Comparator.comparing(Class::getSimpleName)).toList();
    }

    /// One golden file.
    ///
    /// @param record the record type
    /// @param file its name
    /// @param json its content
    record Golden(Class<?> record, String file, JsonNode json) {
        ObjectNode object() {
            return (ObjectNode) json.deepCopy();
        }

        @Override
        public String toString() {
            return record.getSimpleName() + "/" + file;
        }
    }

    static List<Golden> goldens(Class<?> record) {
        return files("/golden/" + record.getSimpleName()).stream()
                .map(file -> new Golden(record, file.getFileName().toString(), json(file))).toList();
    }

    static Stream<Golden> goldens() {
        return all().stream().flatMap(record -> goldens(record).stream());
    }

    static Golden golden(Class<?> record, String name) {
        return goldens(record).stream().filter(golden -> golden.file().equals(name + ".json")).findFirst()
                .orElseThrow(() -> new AssertionError("no golden " + record.getSimpleName() + "/" + name + ".json"));
    }

    static List<Path> files(String folder) {
        URL url = requireNonNull(WireRecords.class.getResource(folder), folder);
        try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode json(Path file) {
        try {
            return Json.STRICT.readTree(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The schema's document.
    static JsonNode schema(String record) {
        try (InputStream in = WireRecords.class
                .getResourceAsStream("/dev/toolfleet/schemas/" + record + ".schema.json")) {
            return Json.MAPPER.readTree(requireNonNull(in, "no schema for " + record).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads as the fleet does: calls leniently, everything else by the codec.
    static Object read(Class<?> record, JsonNode json) {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(json);
        if (record != ToolCall.class)
            return WireCodec.of(record).read(bytes);
        return switch (CallDecoder.decode(null, bytes)) {
            case DecodedCall.Valid valid -> valid.call();
            case DecodedCall.Malformed malformed -> throw new WireFormatException(malformed.reason());
        };
    }

    static JsonNode write(Object value) {
        return Json.MAPPER.readTree(codec(value.getClass()).write(value));
    }

    @SuppressWarnings("unchecked")
    private static WireCodec<Object> codec(Class<?> type) {
        return (WireCodec<Object>) WireCodec.of(type);
    }
}
