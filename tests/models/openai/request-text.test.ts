import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatRequest } from '../../../src/models/index.js';
import type { OpenAiChatOptions } from '../../../src/models/openai/options.js';
import { requestBody } from '../../../src/models/openai/request-body.js';
import { requestText } from '../../../src/models/openai/request-text.js';
import { createManualClock, createRandom } from '../../../src/shared/index.js';

const text = fc.string({ unit: 'binary' });
const audio = fc.record({
  wavBase64: fc.oneof(fc.base64String(), text),
  sha256: fc.constant('a'),
  durationMs: fc.nat(),
});
const part = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('audio' as const), audio }),
);
const message: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: fc.oneof(text, fc.array(part)) }),
  fc.record({ role: fc.constant('tool' as const), toolCallId: text, content: text }),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      content: text,
      toolCalls: fc.array(fc.record({ id: text, name: text, arguments: text })),
    },
    { requiredKeys: ['role', 'content'] },
  ),
);
const request: fc.Arbitrary<ChatRequest> = fc.record(
  {
    messages: fc.array(message),
    tools: fc.array(
      fc.record({ name: text, description: text, parameters: fc.dictionary(text, fc.jsonValue()) }),
    ),
    parallelToolCalls: fc.boolean(),
    format: fc.record({ name: text, schema: fc.dictionary(text, fc.jsonValue()) }),
    temperature: fc.double({ noNaN: true }),
    maxTokens: fc.nat(),
    seed: fc.nat(),
    tokens: fc.boolean(),
    scope: text,
  },
  { requiredKeys: ['messages'] },
);
const options: fc.Arbitrary<OpenAiChatOptions> = fc.record(
  {
    ...{ baseUrl: fc.constant('http://127.0.0.1:1/v1'), model: text },
    server: fc.constantFrom('vllm' as const, 'sglang' as const, 'openai' as const, 'plain' as const),
    audioForm: fc.constantFrom('audio_url' as const, 'input_audio' as const),
    ...{ stream: fc.boolean(), saltCache: fc.boolean() },
    ...{ clock: fc.constant(createManualClock()), random: fc.constant(createRandom(1)) },
  },
  { requiredKeys: ['baseUrl', 'model', 'server', 'clock', 'random'] },
);

describe('the text of a request', () => {
  it('is the body as JSON, to the byte, also when it is written again', () => {
    fc.assert(
      fc.property(request, options, (asked, to) => {
        const whole = JSON.stringify(requestBody(asked, to));
        expect(requestText(asked, to)).toBe(whole);
        expect(requestText(asked, to)).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });
});
