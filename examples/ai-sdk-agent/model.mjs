// A script in the place of a model. It reads the prompt as a model would, and answers with calls or a text.
import { MockLanguageModelV4 } from 'ai/test';

const usage = { inputTokens: {}, outputTokens: {} };

function calls(...made) {
    const content = made.map(([toolCallId, toolName, input]) => ({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }));
    return { content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
}

function text(words) {
    return { content: [{ type: 'text', text: words }], finishReason: { unified: 'stop' }, usage, warnings: [] };
}

/** What the last message of the prompt gives the model: a person's text, or the outputs of tools by the ids of their calls. */
function news(prompt) {
    const { role, content } = prompt.at(-1);
    if (role === 'user') return content[0].text;
    return Object.fromEntries(content.map(part => [part.toolCallId, part.output]));
}

function answer({ prompt }) {
    const last = news(prompt);
    if (last === 'I need 30 pages printed.') return calls(['call_1', 'shop__quote', { pages: 'thirty' }]);
    // The text of the error has the advice of the fleet.
    if (last.call_1?.type === 'error-text') return calls(['call_2', 'shop__quote', { pages: 30 }], ['call_3', 'shop__print', { pages: 30 }]);
    if (last.call_3?.value.status === 'pending') return text(`The print costs ${last.call_2.value.cents} cents. It is ordered.`);
    if (typeof last === 'string' && last.includes('"copies":30')) return calls(['call_4', 'shop__pay', { cents: 120 }]);
    if (last.call_4?.value.status === 'pending') return text('The print is ready. The payment waits for a person.');
    if (typeof last === 'string' && last.includes('"paid":120')) return text('The print is paid.');
    throw new Error(`The script has no answer to ${JSON.stringify(last)}`);
}

export const model = new MockLanguageModelV4({ doGenerate: async options => answer(options) });
