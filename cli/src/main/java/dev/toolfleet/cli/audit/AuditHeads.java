package dev.toolfleet.cli.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.audit.ChainHead;
import dev.toolfleet.json.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Heads of all chains of `tool.audit` at one moment, as `toolfleet audit head` prints them and an auditor keeps them.
///
/// @param spans what was read of each partition
record AuditHeads(String topic, Instant takenAt, List<Span> spans, List<ChainHead> heads) {
    private static final String FORM = "toolfleet-audit-heads/1";

    AuditHeads {
        spans = List.copyOf(spans);
        heads = List.copyOf(heads);
    }

    /// Range of offsets that was read of a partition.
    ///
    /// @param from the first offset
    /// @param end the offset behind the last
    record Span(int partition, long from, long end) {
        boolean holds(long offset) {
            return offset >= from && offset < end;
        }
    }

    ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("form", FORM).put("topic", topic).put("takenAt",
                takenAt.toString());
        ArrayNode partitions = json.putArray("partitions");
        for (Span span : spans) {
            ObjectNode partition = partitions.addObject().put("partition", span.partition()).put("from", span.from())
                    .put("end", span.end());
            ArrayNode list = partition.putArray("heads");
            heads.stream().filter(head -> head.partition() == span.partition())
                    .forEach(head -> list.addObject().put("writer", head.writer()).put("sequence", head.sequence())
                            .put("offset", head.offset()).put("digest", head.digest()));
        }
        return json;
    }

    /// Reads a file that holds what `toolfleet audit head` printed.
    ///
    /// @throws Failure (invalid) when it holds something else
    static AuditHeads read(Path file) {
        try {
            return of(Json.MAPPER.readTree(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw Failure.invalid("--anchor " + file + " cannot be read: " + e.getMessage());
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw Failure.invalid("--anchor " + file + " does not hold what toolfleet audit head prints ("
                    + e.getMessage() + ")");
        }
    }

    private static AuditHeads of(JsonNode json) {
        if (!json.path("form").asString("").equals(FORM))
            throw new IllegalArgumentException("'form' is not " + FORM);
        List<Span> spans = new ArrayList<>();
        List<ChainHead> heads = new ArrayList<>();
        for (JsonNode partition : json.path("partitions")) {
            Span span = new Span(partition.path("partition").asInt(), partition.path("from").asLong(),
                    partition.path("end").asLong());
            spans.add(span);
            for (JsonNode head : partition.path("heads"))
                heads.add(new ChainHead(span.partition(), head.path("writer").asString(),
                        head.path("sequence").asLong(), head.path("sequence").asLong(), head.path("offset").asLong(),
                        head.path("digest").asString(), false));
        }
        return new AuditHeads(json.path("topic").asString(), Instant.parse(json.path("takenAt").asString()), spans,
                heads);
    }
}
