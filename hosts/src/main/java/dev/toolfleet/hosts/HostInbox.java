package dev.toolfleet.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.json.Json;
import dev.toolfleet.tool.ToolContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Requests that a host has, and the messages that come from it.
///
/// **Contract.** A message that breaks the protocol ends its own request as unreadable, if it names one, and is
/// counted. The [#MOST_FAULTS]th ends the reading.
///
/// **Threads.** One thread reads; any may add requests.
final class HostInbox {
    /// Faults that a process may have.
    static final int MOST_FAULTS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(HostInbox.class);

    private final String label;
    private final Outbox outbox;
    private final Map<Long, HostRequest> requests = new ConcurrentHashMap<>();
    private volatile long lastHeard = System.nanoTime();
    private int faults;
    /// Calls that have ended in this read.
    private int ended;

    /// Way back to the host.
    interface Outbox {
        /// Writes a message that has no answer.
        void write(byte[] line);

        /// Frees the room of calls that have ended. Called once for each read: so the next calls go out in one write.
        void free(int calls);
    }

    /// The host broke the protocol too often.
    static final class TooManyFaults extends RuntimeException {
        TooManyFaults(String reason) {
            super(reason);
        }
    }

    HostInbox(String label, Outbox outbox) {
        this.label = label;
        this.outbox = outbox;
    }

    void add(HostRequest request) {
        requests.put(request.id(), request);
    }

    /// Ends a request, which leaves the inbox.
    void end(HostRequest request, HostReply reply) {
        requests.remove(request.id());
        request.end(reply);
    }

    /// Ends all requests.
    void endAll(HostReply reply) {
        for (HostRequest request : requests.values())
            end(request, reply);
    }

    int size() {
        return requests.size();
    }

    /// Returns the contexts of the calls among the requests.
    List<ToolContext> contexts() {
        return requests.values().stream().map(request -> request.listener().context()).filter(Objects::nonNull)
                .toList();
    }

    /// Nanoseconds of the last message.
    long lastHeard() {
        return lastHeard;
    }

    /// Reads all messages to the end of the stream.
    ///
    /// @throws TooManyFaults if the host breaks the protocol too often
    void readAll(InputStream in) throws IOException {
        new LineSplitter(HostProtocol.MESSAGE_BYTES, new LineSplitter.Sink() {
            @Override
            public void line(byte[] bytes, int from, int length) {
                lastHeard = System.nanoTime();
                read(bytes, from, length);
            }

            @Override
            public void tooLong(String beginning) {
                fault(HostProtocol.idIn(beginning),
                        "a message has more than " + HostProtocol.MESSAGE_BYTES + " bytes");
            }

            @Override
            public void readEnd() {
                if (ended > 0)
                    outbox.free(ended);
                ended = 0;
            }
        }).readAll(in);
    }

    private void read(byte[] bytes, int from, int length) {
        JsonNode message;
        try {
            message = Json.MAPPER.readTree(bytes, from, length);
        } catch (JacksonException e) {
            fault(HostProtocol.idIn(beginning(bytes, from, length)),
                    "a message is no JSON: " + beginning(bytes, from, Math.min(length, 80)));
            return;
        }
        if (!(message instanceof ObjectNode object)) {
            fault(-1, "a message is no JSON object: " + beginning(bytes, from, Math.min(length, 80)));
            return;
        }
        String method = object.path("method").stringValue(null);
        if (method == null)
            reply(object);
        else if (object.has("id"))
            request(method, object.path("id"), object.path("params"));
        else
            notification(method, object.path("params"));
    }

    private static String beginning(byte[] bytes, int from, int length) {
        return new String(bytes, from, Math.min(length, LineSplitter.SHOWN), java.nio.charset.StandardCharsets.UTF_8);
    }

    private void reply(ObjectNode message) {
        HostRequest request = requests.remove(message.path("id").longValue(-1));
        if (request == null) {
            fault(-1, "an answer has the id " + message.path("id") + ", which no open request has");
            return;
        }
        JsonNode error = message.get("error");
        if (error != null && !error.isNull())
            answered(request, new HostReply.Failed(error.path("code").intValue(0),
                    error.path("message").stringValue("it gave no reason"), error.get("data")));
        else
            answered(request,
                    new HostReply.Answered(message.has("result") ? message.path("result") : NullNode.instance));
    }

    private void answered(HostRequest request, HostReply reply) {
        request.end(reply);
        if (request.release())
            ended++;
    }

    private void notification(String method, JsonNode params) {
        HostRequest call = call(params);
        switch (method) {
            case "progress" -> {
                if (call != null)
                    call.listener().progress(params);
            }
            case "log" -> log(call, params);
            default -> LOG.atDebug().addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.REASON, method)
                    .log("unknown notification of host ignored");
        }
    }

    private void log(@Nullable HostRequest call, JsonNode params) {
        String level = params.path("level").stringValue("info");
        String text = params.path("message").stringValue("");
        if (call != null)
            call.listener().log(level, text);
        else
            HostLog.write(LOG, level, text, label);
    }

    private void request(String method, JsonNode id, JsonNode params) {
        if (!method.equals("service")) {
            outbox.write(HostProtocol.unknownMethod(id, method));
            return;
        }
        HostRequest call = call(params);
        if (call == null) {
            outbox.write(HostProtocol.refusal(id,
                    new ServiceException("E_HOST_SERVICE", "The call " + params.path("id") + " has ended.", null)));
            return;
        }
        call.serve(() -> serve(call, id, params));
    }

    private void serve(HostRequest call, JsonNode id, JsonNode params) {
        try {
            outbox.write(HostProtocol.answer(id,
                    call.listener().service(params.path("name").stringValue(""), params.path("params"))));
        } catch (ServiceException e) {
            outbox.write(HostProtocol.refusal(id, e));
        } catch (InterruptedException e) {
            outbox.write(HostProtocol.refusal(id, new ServiceException("E_HOST_SERVICE", "The call has ended.", null)));
        } catch (RuntimeException e) {
            outbox.write(
                    HostProtocol.refusal(id, new ServiceException("E_TOOL", String.valueOf(e.getMessage()), null)));
        }
    }

    private @Nullable HostRequest call(JsonNode params) {
        return requests.get(params.path("id").longValue(-1));
    }

    private void fault(long id, String reason) {
        faults++;
        LOG.atWarn().addKeyValue(HostLogKeys.HOST, label).addKeyValue(HostLogKeys.REASON, reason)
                .addKeyValue(HostLogKeys.COUNT, faults).log("host broke the protocol");
        HostRequest request = requests.remove(id);
        if (request != null)
            answered(request, new HostReply.Unreadable(reason));
        if (faults >= MOST_FAULTS)
            throw new TooManyFaults("it broke the protocol " + faults + " times, the last time because " + reason);
    }
}
