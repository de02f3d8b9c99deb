package dev.toolfleet.client.turn;

import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NewsInboxTest {
    private final NewsInbox inbox = new NewsInbox(3);

    private static CallNews news(String instanceKey, String id) {
        return new CallNews(ToolCall.of(id, "shop__print", Json.MAPPER.createObjectNode(), instanceKey), id);
    }

    @Test
    void theOldestOfTooManyIsDropped() {
        inbox.add(news("a", "1"));
        inbox.add(news("b", "2"));
        inbox.add(news("b", "3"));
        inbox.add(news("c", "4"));
        inbox.add(news("c", "5"));

        assertThat(inbox.take("a")).isEmpty();
        assertThat(inbox.take("b")).extracting(CallNews::text).containsExactly("3");
        assertThat(inbox.take("c")).extracting(CallNews::text).containsExactly("4", "5");
    }

    @Test
    void whatIsTakenMakesRoom() {
        for (int i = 0; i < 10; i++) {
            inbox.add(news("a", "1"));
            inbox.add(news("a", "2"));
            List<CallNews> taken = inbox.take("a");
            assertThat(taken).extracting(CallNews::text).containsExactly("1", "2");
            inbox.add(news("a", "3"));
            inbox.putBack(taken);
            assertThat(inbox.take("a")).extracting(CallNews::text).containsExactly("1", "2", "3");
        }
    }
}
