package dev.toolfleet.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.toolfleet.client.turn.AgentTurns;
import dev.toolfleet.client.turn.CallNews;
import dev.toolfleet.client.turn.TurnStart;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.MemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/// Advisor that makes a request of a chat client a turn of the fleet, and brings the news of earlier turns into it.
///
/// The conversation is the advisor parameter [ChatMemory#CONVERSATION_ID], the fleet's `instanceKey`. Thread-safe.
public final class FleetAdvisor implements BaseAdvisor {
    /// Advisor parameter with the user for whom the agent acts.
    public static final String USER_ID = "toolfleet.userId";
    /// Advisor parameter with the channel of that user.
    public static final String CHANNEL_ID = "toolfleet.channelId";
    private static final String BEGUN = "toolfleet.begun";
    /// Outside of the advisors of memories, which begin at 200 behind the first: they read the news from the memory.
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    private final AgentTurns turns;
    private final Optional<ChatMemory> memory;

    /// Makes the advisor of an agent.
    ///
    /// @param memory keeps the news of chat clients with an advisor for memory; all of these must read this memory. When it
    ///        is empty, news are in the prompt alone
    public FleetAdvisor(AgentTurns turns, Optional<ChatMemory> memory) {
        this.turns = turns;
        this.memory = memory;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
        String conversation = text(request.context(), ChatMemory.CONVERSATION_ID);
        if (conversation == null)
            throw new IllegalArgumentException("the request names no conversation, so the fleet cannot order its calls:"
                    + " add .advisors(a -> a.param(ChatMemory.CONVERSATION_ID, …)) to the chat client's request");
        if (!(request.prompt().getOptions() instanceof ToolCallingChatOptions options))
            throw new IllegalArgumentException("the chat model's options, "
                    + request.prompt().getOptions() + ", know no tools: use a model whose options are"
                    + " ToolCallingChatOptions");
        ChatTurn turn = new ChatTurn(turns.begin(new TurnStart(conversation, UUID.randomUUID().toString(),
                text(request.context(), USER_ID), text(request.context(), CHANNEL_ID))));
        List<Message> messages = new ArrayList<>(request.prompt().getInstructions());
        if (request.context().get(BEGUN) instanceof Begun begun)
            begun.turn = turn;
        addNews(conversation, turn, messages, chain);
        return request.mutate().context(ChatTurn.KEY, turn).prompt(request.prompt().mutate().messages(messages)
                .chatOptions(options.mutate().toolContext(ChatTurn.KEY, turn).build()).build()).build();
    }

    @Override
    public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
        if (response.context().get(ChatTurn.KEY) instanceof ChatTurn turn)
            turn.end();
        return response;
    }

    @Override
    public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
        Begun begun = new Begun();
        try {
            return BaseAdvisor.super.adviseCall(begun.in(request), chain);
        } catch (RuntimeException | Error e) {
            abandon(begun);
            throw e;
        }
    }

    @Override
    public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
        return Flux.defer(() -> {
            Begun begun = new Begun();
            return BaseAdvisor.super.adviseStream(begun.in(request), chain).doOnError(e -> abandon(begun))
                    .doOnCancel(() -> abandon(begun));
        });
    }

    /// Ends a turn whose request failed. Its news are put back, or no request shows them again.
    private void abandon(Begun begun) {
        ChatTurn turn = begun.turn;
        if (turn != null)
            turns.putBackNews(turn.abandon());
    }

    private void addNews(String conversation, ChatTurn turn, List<Message> messages, AdvisorChain chain) {
        List<CallNews> news = turns.takeNews(conversation);
        if (news.isEmpty())
            return;
        List<Message> texts = news.stream().map(one -> (Message) new UserMessage(one.text())).toList();
        if (memory.isPresent() && remembers(chain)) {
            // They stay there when the request fails.
            memory.get().add(conversation, texts);
        } else {
            messages.addAll(placeOfNews(messages), texts);
            turn.shows(news);
        }
    }

    /// News stand before the user's message, which is the last one.
    private static int placeOfNews(List<Message> messages) {
        return !messages.isEmpty() && messages.getLast() instanceof UserMessage ? messages.size() - 1 : messages.size();
    }

    private static boolean remembers(AdvisorChain chain) {
        return switch (chain) {
            case CallAdvisorChain calls -> calls.getCallAdvisors().stream().anyMatch(MemoryAdvisor.class::isInstance);
            case StreamAdvisorChain streams ->
                streams.getStreamAdvisors().stream().anyMatch(MemoryAdvisor.class::isInstance);
            default -> false;
        };
    }

    /// Place for the turn that a request begins, for the end of a request that fails.
    private static final class Begun {
        private volatile @Nullable ChatTurn turn;

        ChatClientRequest in(ChatClientRequest request) {
            return request.mutate().context(BEGUN, this).build();
        }
    }

    private static @Nullable String text(Map<String, @Nullable Object> context, String key) {
        Object value = context.get(key);
        return value == null ? null : value.toString();
    }
}
