import { Agent } from "./agent.js";
import { Call } from "./call.js";
import { follow } from "./events.js";
import { Transport, type ToolfleetOptions } from "./transport.js";
import type { ApprovalList, CallList, CompletionRequest, DecisionRequest, InstanceResult, ResultList } from "./types.js";

interface Abortable {
  signal?: AbortSignal;
}

/** What a list of calls is to hold. */
export interface CallQuery {
  instance?: string;
  agent?: string;
  tool?: string;
  user?: string;
  stage?: "accepted" | "running" | "pending" | "approval" | "resumed" | "ended" | "open";
  status?: "ok" | "error";
  code?: string;
  since?: string;
  after?: string;
  limit?: number;
}

/** A client of a fleet's gateways. It holds no connection open and needs no close. */
export class Toolfleet {
  private readonly transport: Transport;

  constructor(options: ToolfleetOptions | string) {
    this.transport = new Transport(typeof options === "string" ? { url: options } : options);
  }

  /** An agent of a conversation; it need not exist yet. */
  agent(instanceKey: string, agentName: string): Agent {
    return new Agent(this.transport, instanceKey, agentName);
  }

  /** A call by the fleet's id of it, such as `3-977`. */
  call(id: string): Call {
    return new Call(this.transport, id);
  }

  /** Lists calls, the newest first. `next` of the answer is `after` of the next request. */
  async calls(query: CallQuery = {}, options: Abortable = {}): Promise<CallList> {
    return (await this.transport.json<CallList>({ method: "GET", path: "/v1/calls", query: { ...query }, ...options })).body;
  }

  /** Lists the calls that wait for a person. */
  async approvals(query: { instance?: string; agent?: string; limit?: number } = {}, options: Abortable = {}): Promise<ApprovalList> {
    return (await this.transport.json<ApprovalList>({ method: "GET", path: "/v1/approvals", query, ...options })).body;
  }

  /** Reports progress or the end of the work behind a handle. */
  async complete(handle: string, report: CompletionRequest, options: Abortable = {}): Promise<void> {
    await this.transport.json({ method: "POST", path: `/v1/handles/${encodeURIComponent(handle)}/completions`, body: report, ...options });
  }

  /** Approves or rejects the call that waits for a person behind a handle. */
  async decide(handle: string, decision: DecisionRequest, options: Abortable = {}): Promise<void> {
    await this.transport.json({ method: "POST", path: `/v1/handles/${encodeURIComponent(handle)}/decision`, body: decision, ...options });
  }

  /**
   * Reads final results of an instance, in their order.
   *
   * @param query `after` is `next` of the last answer; `wait` is for how many seconds to wait for the first new result
   */
  async readResults(instanceKey: string, query: { after?: string; limit?: number; wait?: number } = {}, options: Abortable = {}): Promise<ResultList> {
    const { wait = 0, ...rest } = query;
    return (await this.transport.json<ResultList>({ method: "GET", path: resultsOf(instanceKey), query: rest, wait, ...options })).body;
  }

  /** Streams the final results of an instance in their order, without end. */
  async *results(instanceKey: string, options: { after?: string } & Abortable = {}): AsyncGenerator<InstanceResult, void, undefined> {
    for await (const event of follow(this.transport, resultsOf(instanceKey), options.after, () => false, async () => false, options.signal)) {
      yield event.data as InstanceResult;
    }
  }
}

function resultsOf(instanceKey: string): string {
  return `/v1/instances/${encodeURIComponent(instanceKey)}/results`;
}
