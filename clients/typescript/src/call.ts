import { ToolCallError } from "./errors.js";
import { follow } from "./events.js";
import type { Transport } from "./transport.js";
import type { CallEvent, CallState, ToolResult } from "./types.js";

/** The longest wait of one request, in seconds. */
export const WAIT = 30;

/** A call that has its first result: its final one, or a pending one with a handle. */
export type AnsweredCall = Call & { readonly result: ToolResult };

/** A call that is durable. It ends with one final result, whatever process dies. */
export class Call {
  /**
   * @param id the fleet's id of the call, not the model's
   * @param latest the newest result that this object has seen
   */
  constructor(private readonly transport: Transport, readonly id: string, private latest?: ToolResult) {}

  /** The newest result that this object has seen; absent before the first. */
  get result(): ToolResult | undefined {
    return this.latest;
  }

  /** Reads where the call is. */
  async state(options: { signal?: AbortSignal } = {}): Promise<CallState> {
    return (await this.transport.json<CallState>({ method: "GET", path: this.path, signal: options.signal })).body;
  }

  /** Waits for the first result: the final one, or a pending one. */
  async answer(options: { signal?: AbortSignal } = {}): Promise<AnsweredCall> {
    while (this.latest === undefined) {
      const { body } = await this.transport.json<CallState>({ method: "GET", path: this.path, wait: WAIT, signal: options.signal });
      this.latest = body.result ?? body.pending;
    }
    return this as AnsweredCall;
  }

  /** Waits for the final result, through pending ones, for as long as it takes. */
  async final(options: { signal?: AbortSignal } = {}): Promise<ToolResult> {
    if (this.latest === undefined || this.latest.status === "pending") {
      for await (const event of this.events(options)) {
        if (event.event === "result") return event.data;
      }
    }
    return this.latest!;
  }

  /** Waits for the final result and returns its output. Throws a {@link ToolCallError} if it is an error. */
  async output(options: { signal?: AbortSignal } = {}): Promise<unknown> {
    const result = await this.final(options);
    if (result.status === "error") throw new ToolCallError(result);
    return result.output;
  }

  /** Streams the events of the call, to its result. A stream that breaks goes on where it was. */
  async *events(options: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<CallEvent, void, undefined> {
    const signal = options.signal;
    const hasEnded = async () => {
      const { result } = await this.state(signal ? { signal } : {});
      this.latest = result ?? this.latest;
      return result !== undefined;
    };
    const stream = follow(this.transport, `${this.path}/events`, options.after, event => event.event === "result", hasEnded, signal);
    for await (const event of stream) {
      const known = event as CallEvent;
      if (known.event === "result") this.latest = known.data;
      if (known.event === "pending" && (this.latest === undefined || this.latest.status === "pending")) this.latest = known.data.result;
      yield known;
    }
  }

  /** Sends the wish that the call ends. Its result shows what came of it. */
  async cancel(reason?: string, options: { signal?: AbortSignal } = {}): Promise<CallState> {
    const body = reason === undefined ? {} : { reason };
    return (await this.transport.json<CallState>({ method: "POST", path: `${this.path}/cancel`, body, signal: options.signal })).body;
  }

  private get path(): string {
    return `/v1/calls/${encodeURIComponent(this.id)}`;
  }
}
