package dev.toolfleet.cli.explain;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.databind.node.ObjectNode;

/// An explanation for programs. Pure.
final class ExplainJson {
    private ExplainJson() {}

    static ObjectNode of(CallSnapshot facts, VerdictText.Said said) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("verdict", said.name()).put("text", said.headline());
        json.set("call", call(facts.call()));
        json.put("owner", facts.group().owner().orElse(null));
        json.put("members", facts.group().members());
        Timeline.of(facts).forEach(event -> json.withArray("timeline").addObject().put("at", event.at().toString())
                .put("topic", event.topic()).put("what", event.what()));
        facts.said().rulings().forEach(ruling -> json.withArray("rulings").add(ruling(ruling)));
        facts.ahead().forEach(ahead -> json.withArray("ahead").add(call(ahead.call())));
        facts.live().calls().forEach(live -> json.withArray("workers").add(live(live)));
        facts.held().ifPresent(held -> held.reasons().forEach(json.withArray("held")::add));
        View.put(json, "note", facts.live().note());
        said.next().forEach(json.withArray("next")::add);
        return json;
    }

    private static ObjectNode ruling(CallSnapshot.AuditedRuling ruling) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("at", ruling.at().toString()).put("action", ruling.event().action());
        View.put(json, "rule", ruling.event().rule());
        ruling.labels().forEach(label -> json.withArray("labels").add(Json.MAPPER.valueToTree(label)));
        return json;
    }

    static ObjectNode call(RecordedCall at) {
        ToolCall call = at.call();
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("id", call.id()).put("name", call.name()).put("instanceKey", call.instanceKey());
        View.put(json, "agentName", call.agentName());
        View.put(json, "turnId", call.turnId());
        View.put(json, "stepId", call.stepId());
        json.put("partition", at.partition()).put("offset", at.offset()).put("at", at.at().toString());
        return json;
    }

    static ObjectNode live(CallSnapshot.LiveCall live) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("worker", live.worker()).put("id", live.id()).put("name", live.tool())
                .put("partition", live.partition()).put("offset", live.offset()).put("stage", live.stage());
        View.put(json, "since", live.since());
        json.put("attempt", live.attempt()).put("skipped", live.skipped());
        View.put(json, "host", live.host());
        return json;
    }
}
