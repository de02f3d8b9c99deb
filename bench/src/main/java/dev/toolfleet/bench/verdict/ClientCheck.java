package dev.toolfleet.bench.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Check that each client over HTTP got the final result of its call, the one that is on `tool.result`.
final class ClientCheck {
    private ClientCheck() {}

    static List<Violation> violations(RunFacts facts) {
        Map<String, List<ResultFact>> results = facts.resultsByCall();
        List<Violation> found = new ArrayList<>();
        for (ClientFact client : facts.clients()) {
            Optional<GivenAnswer> written = results.getOrDefault(client.callId(), List.of()).stream()
                    .filter(ResultFact::original).map(ResultFact::answer).findFirst();
            if (client.answer().isEmpty())
                found.add(new Violation(Promise.CLIENTS_ANSWERED, client.callId(),
                        client.requests() + " requests; " + client.trouble()));
            else if (!client.answer().equals(written))
                found.add(new Violation(Promise.CLIENTS_AGREE, client.callId(), "answered with "
                        + client.answer().map(ClientCheck::text).orElseThrow() + ", and tool.result has "
                        + written.map(ClientCheck::text).orElse("no final result")));
        }
        return found;
    }

    private static String text(GivenAnswer answer) {
        return answer.error().orElse("ok") + " of digest " + answer.digest();
    }
}
