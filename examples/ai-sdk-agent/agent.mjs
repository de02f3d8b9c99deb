// An agent with the AI SDK, whose tools are those of a fleet: node agent.mjs GATEWAY INSTANCE
import { generateText, isStepCount } from 'ai';
import { Toolfleet } from '@toolfleet/client';
import { tools } from '@toolfleet/client/ai';
import { model } from './model.mjs';

const [url, instance] = process.argv.slice(2);
const fleet = new Toolfleet(url);
const clerk = fleet.agent(instance, 'clerk');

const messages = [];
const waiting = [];
const onPending = call => waiting.push(call);

/** Runs the model until it has no more calls, and prints what it does. */
async function turn(content) {
    console.log(`> ${content}`);
    messages.push({ role: 'user', content });
    const { steps, response } = await generateText({ model, messages, tools: await tools(clerk, { onPending }), stopWhen: isStepCount(8) });
    messages.push(...response.messages);
    for (const part of steps.flatMap(step => step.content)) {
        if (part.type === 'tool-result') console.log(`  ${part.toolCallId} ${part.toolName} ${part.output.status ?? JSON.stringify(part.output)}`);
        if (part.type === 'tool-error') console.log(`  ${part.toolCallId} ${part.toolName} ${part.error.code}`);
        if (part.type === 'text') console.log(`clerk: ${part.text}`);
    }
}

// Others do their part by the handle of a pending call: here the print shop, and a person who looks at the payment.
const elsewhere = {
    shop__print: handle => fleet.complete(handle, { kind: 'completed', output: { copies: 30 } }),
    shop__pay: handle => fleet.decide(handle, { decision: 'approve', by: 'ann' }),
};

await turn('I need 30 pages printed.');
// The final result of a call that was pending is the news of a later turn.
for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
    await elsewhere[call.result.toolName](call.result.handle);
    const { toolName, output } = await call.final();
    await turn(`${toolName} has ended: ${JSON.stringify(output)}`);
}
