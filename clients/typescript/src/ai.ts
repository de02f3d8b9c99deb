/** Tools of a fleet for the AI SDK (the package `ai`). */
import { dynamicTool, jsonSchema, type JSONSchema7, type ToolSet } from "ai";
import { type Agent, randomKey, type Step } from "./agent.js";
import type { AnsweredCall } from "./call.js";
import { ToolCallError } from "./errors.js";
import type { StepRequest } from "./types.js";

export interface ToolsOptions extends Partial<Pick<StepRequest, "turnId" | "userId" | "channelId" | "hints">> {
  /**
   * Receives each call that is pending: its work, or a person's approval, takes longer. The model has the pending result;
   * `call.final()` waits for the final one, the news of a later turn.
   */
  onPending?: (call: AnsweredCall) => void;
}

interface OpenAiTool {
  function: { name: string; description?: string; parameters: JSONSchema7 };
}

/**
 * Announces a step of the agent, and returns its tools for `generateText` and `streamText`. The calls have the model's ids,
 * and those of one message run in their order. Each further message with calls is announced as a step of its own. An error
 * of a tool is thrown as a {@link ToolCallError}, whose message the SDK shows to the model.
 */
export async function tools(agent: Agent, options: ToolsOptions = {}): Promise<ToolSet> {
  const { onPending, turnId = randomKey(), ...facts } = options;
  const begin = (number: number) => agent.step({ ...facts, turnId, stepId: `${turnId}-${number}`, stepIndex: number, format: "openai" });
  const first = await begin(0);
  const steps = new Map<number, Promise<Step>>();
  // The messages before a model's message are the same for all of its calls.
  const stepOf = (messages: number): Promise<Step> => {
    const known = steps.get(messages) ?? (steps.size === 0 ? Promise.resolve(first) : begin(steps.size));
    steps.set(messages, known);
    return known;
  };
  return Object.fromEntries((first.tools as unknown as OpenAiTool[]).map(({ function: each }) => [each.name, dynamicTool({
    description: each.description ?? "",
    inputSchema: jsonSchema(each.parameters),
    execute: async (input, { toolCallId, messages, abortSignal }) => {
      const step = await stepOf(messages.length);
      const signal = abortSignal ? { signal: abortSignal } : {};
      const started = await step.start(each.name, input, { id: toolCallId, ...signal });
      return forModel(await started.answer(signal), onPending);
    },
  })]));
}

function forModel(call: AnsweredCall, onPending: ToolsOptions["onPending"]): unknown {
  const { result } = call;
  if (result.status === "error") throw new ToolCallError(result);
  if (result.status === "pending") onPending?.(call);
  const output = result.status === "pending" ? { status: "pending", handle: result.handle, output: result.output ?? null } : result.output ?? null;
  return result.notice === undefined ? output : { output, notice: result.notice };
}
