import { ConnectionError } from "./errors.js";
import type { Lifetime, Transport } from "./transport.js";

/** A server-sent event. */
export interface ServerEvent {
  event: string;
  id: string;
  data: unknown;
}

/**
 * Reads a stream of the gateway to its end. When the connection breaks, reads on behind the last event, at any gateway of
 * the group: no event is missed, none comes twice.
 *
 * @param after the id of the last event that the caller has
 * @param isLast returns true for the event that ends the stream
 * @param hasEnded returns true once the event that ends the stream exists; a stream that has none behind `after` ends then
 */
export async function* follow(transport: Transport, path: string, after: string | undefined,
    isLast: (event: ServerEvent) => boolean, hasEnded: () => Promise<boolean>, signal?: AbortSignal): AsyncGenerator<ServerEvent, void, undefined> {
  let last = after;
  let cutSince: number | undefined;
  let ended = false;
  for (let attempt = 1; ; attempt++) {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (last !== undefined) headers["Last-Event-ID"] = last;
    const { body, lifetime } = await transport.open({ method: "GET", path, headers, signal });
    let failure: unknown;
    let empty = true;
    try {
      for await (const event of parse(body, lifetime, () => { cutSince = undefined; attempt = 1; })) {
        empty = false;
        last = event.id;
        yield event;
        if (isLast(event)) return;
      }
    } catch (e) {
      signal?.throwIfAborted();
      if (e instanceof SyntaxError) throw e;
      failure = e;
    } finally {
      lifetime.close();
    }
    if (failure === undefined && empty) {
      // The last event may have come into being after the stream ended, so it must exist before a stream without it is opened.
      if (ended) return;
      ended = await hasEnded();
    }
    cutSince ??= Date.now();
    if (Date.now() - cutSince > transport.retryFor)
      throw new ConnectionError(`the stream ${path} has been cut for ${transport.retryFor} ms: ${String(failure ?? "it ended")}`, attempt, failure);
    await transport.pause(attempt, signal);
  }
}

/** Parses server-sent events. An event that is cut off is no event. */
async function* parse(body: ReadableStream<Uint8Array>, lifetime: Lifetime, onNews: () => void): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let fields: Record<string, string> = {};
  while (true) {
    const { done, value } = await lifetime.read(reader.read());
    if (done) return;
    onNews();
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") {
        const { event = "message", id = "", data } = fields;
        fields = {};
        if (data !== undefined) yield { event, id, data: JSON.parse(data) };
        continue;
      }
      const colon = line.indexOf(":");
      if (colon <= 0) continue;
      const name = line.slice(0, colon);
      const text = line.slice(colon + 1).replace(/^ /, "");
      fields[name] = name === "data" && fields["data"] !== undefined ? `${fields["data"]}\n${text}` : text;
    }
  }
}
