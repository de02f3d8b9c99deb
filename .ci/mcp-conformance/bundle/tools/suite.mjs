// Handlers of the tools that the conformance suite calls.
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: pixel, mimeType: 'image/png' };

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function resource(uri, mimeType, text) {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

// Progress reaches clients by a topic: a call that ends within some 100 ms has ended before.
export const handlers = {
  test_simple_text: () => ({ content: [{ type: 'text', text: 'This is a simple text response for testing.' }] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [{ type: 'text', text: 'Multiple content types test:' }, image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')],
  }),
  test_tool_with_progress: async (ctx) => {
    for (const percent of [0, 50, 100]) {
      ctx.progress(percent, `${percent} of 100`);
      await pause(700);
    }
    return { content: [{ type: 'text', text: 'Done.' }] };
  },
  test_error_handling: () => { throw new Error('This tool intentionally returns an error for testing'); },
  json_schema_2020_12_tool: (ctx, input) => input,
};
