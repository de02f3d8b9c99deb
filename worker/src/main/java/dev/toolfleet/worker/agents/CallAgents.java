package dev.toolfleet.worker.agents;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.tool.AgentToolRuntime;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNullElse;

/// Access to agents for the handler of one call.
final class CallAgents implements AgentToolRuntime {
    /// Most instances that one instance may have spawned and not ended.
    static final int MAX_SPAWNED = 100;
    /// Time between the end of a wait and the call's deadline, at which the handler is interrupted.
    private static final Duration BEFORE_DEADLINE = Duration.ofMillis(500);

    private final AgentCalls shared;
    private final AgentMessageRules rules;
    private final ToolCall call;
    private final Supplier<Path> workdir;
    private final Instant deadline;
    private final AgentSends sends;

    CallAgents(AgentCalls shared, ToolCall call, Supplier<Path> workdir, Instant deadline, AgentSends sends) {
        this.shared = shared;
        this.rules = new AgentMessageRules(shared.roster());
        this.call = call;
        this.workdir = workdir;
        this.deadline = deadline;
        this.sends = sends;
    }

    @Override
    public ToolOutput.Pending delegate(Message message, Duration timeout) {
        AgentAddress to = target(message);
        List<AgentAddress> callers = callers(to);
        String handle = "req_" + shared.ids().get();
        String token = shared.ids().get();
        Instant now = shared.clock().instant();
        AgentEvent event = events().asked(eventId(), to, message, handle, AgentReplyTo.handle(handle, token), callers,
                now.plus(timeout), now);
        send(event);
        ObjectNode output = Json.MAPPER.createObjectNode().put("target", to.agent())
                .put("instanceKey", to.instanceKey()).put("eventId", event.id()).put("correlationId", handle)
                .put("accepted", true).put("async", false).putNull("response");
        return ToolOutput.pending(handle, output).silentAtMost(timeout).demanding(token)
                .waitingFor(to.toString());
    }

    @Override
    public Answer ask(Message message, Duration timeout) throws InterruptedException {
        AgentAddress to = target(message);
        List<AgentAddress> callers = callers(to);
        Instant now = shared.clock().instant();
        Duration left = Duration.between(now, deadline).minus(BEFORE_DEADLINE);
        Duration atMost = left.compareTo(timeout) < 0 ? left : timeout;
        String correlation = "req_" + shared.ids().get();
        AgentEvent answer = atMost.isPositive()
                ? shared.replies().ask(events().asked(eventId(), to, message, correlation,
                        AgentReplyTo.address(shared.replies().address()), callers, now.plus(atMost), now), atMost)
                : null;
        if (answer == null) {
            throw new ToolException("E_AGENT_REQUEST_TIMEOUT",
                    to + " did not answer within " + Math.max(0, atMost.toMillis()) + " ms.")
                    .suggestion("It may still do the work. Ask it for less at once, or wait longer.");
        }
        ToolError error = answer.error();
        if (error != null)
            throw failed(error);
        JsonNode payload = requireNonNullElse(answer.payload(), NullNode.getInstance());
        return new Answer(to.agent(), payload.has("response") ? payload.get("response") : payload, answer.id(),
                correlation);
    }

    private static ToolException failed(ToolError error) {
        ToolException failure = new ToolException(error.code(), String.valueOf(error.message()));
        if (error.suggestion() != null)
            failure.suggestion(error.suggestion());
        return failure;
    }

    @Override
    public Sent requestLater(Message message) {
        AgentAddress to = target(message);
        String correlation = "req_" + shared.ids().get();
        AgentEvent event = events().asked(eventId(), to, message, correlation, AgentReplyTo.address(self()), null, null,
                shared.clock().instant());
        send(event);
        return new Sent(to.agent(), to.instanceKey(), event.id(), correlation);
    }

    @Override
    public Sent send(Message message) {
        AgentAddress to = target(message);
        AgentEvent event = events().told(eventId(), to, message, shared.clock().instant());
        send(event);
        return new Sent(to.agent(), to.instanceKey(), event.id(), null);
    }

    @Override
    public Spawned spawn(String target, @Nullable String name, @Nullable String cwd) {
        AgentAddress self = self();
        rules.checkAgent(self, target);
        caughtUp();
        AgentAddress address = new AgentAddress(target, key(self, target, name));
        AgentInstance there = sends.spawned(address).orElse(shared.roster().find(address));
        if (there != null) {
            if (self.equals(there.owner()))
                return new Spawned(target, address.instanceKey(), false, there.cwd());
            throw new ToolException("E_AGENT_NOT_OWNED", "The instance " + address + " is there, and is not yours.")
                    .suggestion("Choose another name, or leave instanceKey out for a new instance.");
        }
        if (shared.roster().instances().spawnedBy(self, false).size() + sends.instances().size() >= MAX_SPAWNED) {
            throw new ToolException("E_AGENT_TOO_MANY", "This instance has spawned " + MAX_SPAWNED
                    + " others that have not ended, which is the most.")
                    .suggestion("Use one of those that list shows.");
        }
        Instant now = shared.clock().instant();
        AgentInstance instance = new AgentInstance(target, address.instanceKey(), self,
                cwd == null ? null : shared.folders().recorded(workdir.get(), cwd), AgentInstance.Status.SPAWNED, now,
                null, call.userId(), call.channelId());
        sends.add(instance);
        send(events().spawned(eventId(), instance, now));
        return new Spawned(target, address.instanceKey(), true, instance.cwd());
    }

    /// The message takes along the labels of this instance, those from others, too. Without them its receiver reads all of
    /// this instance from now on.
    private void send(AgentEvent event) {
        if (!event.to().instanceKey().equals(call.instanceKey()) && !knowsLabels())
            sends.withoutLabels();
        sends.add(event);
    }

    private boolean knowsLabels() {
        try {
            return shared.labels().await();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /// Returns a key in the owner's own conversation, so that no caller takes over another's instance.
    private String key(AgentAddress self, String target, @Nullable String name) {
        String below = self.instanceKey() + "/";
        String given = name == null ? target + "-" + shared.ids().get() : name;
        String key = given.startsWith(below) ? given : below + given;
        if (key.length() > ToolCall.MAX_INSTANCE_KEY) {
            throw new ToolException(ErrorCode.E_TOOL_INVALID_ARGS.name(), "The instance's key would have "
                    + key.length() + " characters; at most " + ToolCall.MAX_INSTANCE_KEY + " are accepted.")
                    .suggestion("Choose a shorter name, or do the work yourself.");
        }
        return key;
    }

    @Override
    public List<AgentInstance> list(boolean all) {
        AgentAddress self = self();
        caughtUp();
        return shared.roster().instances().spawnedBy(self, all);
    }

    @Override
    public Directory catalog() {
        String self = self().agent();
        List<SwarmSpec> swarms = shared.roster().swarmsOf(self);
        List<String> available = shared.roster().colleagues(self);
        return new Directory(swarms.isEmpty() ? null : swarms.getFirst().name(),
                swarms.isEmpty() ? null : swarms.getFirst().entryAgent().name(), self, available,
                available.stream().filter(name -> !name.equals(self)).toList());
    }

    private AgentAddress target(Message message) {
        AgentAddress self = self();
        rules.checkAgent(self, message.target());
        caughtUp();
        AgentAddress to = new AgentAddress(message.target(),
                requireNonNullElse(message.instanceKey(), self.instanceKey()));
        if (to.equals(self)) {
            throw new ToolException("E_AGENT_CYCLE", "That is this very instance: " + to + ".")
                    .suggestion("Do the work yourself, or name another agent or another instanceKey.");
        }
        if (sends.spawned(to).isEmpty())
            rules.checkInstance(call, self, to);
        return to;
    }

    private List<AgentAddress> callers(AgentAddress to) {
        return AgentMessageRules.waiting(requireNonNullElse(call.callers(), List.of()), self(), to);
    }

    private AgentAddress self() {
        String agent = call.agentName();
        if (agent == null)
            throw AgentMessageRules.unknownCaller();
        return new AgentAddress(agent, call.instanceKey());
    }

    private AgentEvents events() {
        return new AgentEvents(call, self());
    }

    private String eventId() {
        return "agent_event_" + shared.ids().get();
    }

    private void caughtUp() {
        try {
            var _ = shared.roster().catchUp().await();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static ToolException interrupted() {
        Thread.currentThread().interrupt();
        return new ToolException(ErrorCode.E_TOOL_CANCELLED.name(), "The call was interrupted; nothing was sent.");
    }
}
