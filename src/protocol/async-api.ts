import { AUDIO_FRAME_BODY, AUDIO_FRAME_FIELDS } from './audio-frame-layout.js';
import { CLOSE_CODES } from './close-codes.js';
import { PROTOCOL_VERSION } from './hello.js';
import {
  clientMessageSchemas,
  type JsonSchema,
  type NamedSchemas,
  serverEventSchemas,
} from './json-schema.js';

type Json = { readonly [key: string]: unknown };

const FRAME_DESCRIPTION = [
  'A WebSocket binary frame: 16 bytes of header, all numbers little-endian, then the samples.',
  '',
  '| byte | type | field | meaning |',
  '| --- | --- | --- | --- |',
  ...AUDIO_FRAME_FIELDS.map(
    ({ offset, type, name, const: value, description }) =>
      `| ${offset} | ${type} | ${name} | ${value === undefined ? '' : `${value}: `}${description} |`,
  ),
  `| 16 | … | data | ${AUDIO_FRAME_BODY} |`,
].join('\n');

const MESSAGES = '#/components/messages';

/** What the document calls the binary frames of each direction. */
const CUSTOMER_FRAME = 'customer.frame';
const AGENT_FRAME = 'agent.frame';

function textMessages(schemas: NamedSchemas): Json {
  const named = Object.entries(schemas).map(([type, { description, ...schema }]: [string, JsonSchema]) => [
    type,
    {
      ...{ name: type, title: type, summary: description, contentType: 'application/json' },
      payload: schema,
    },
  ]);
  return Object.fromEntries(named);
}

function frameMessage(name: string, summary: string): Json {
  return {
    ...{ name, title: name, summary, description: FRAME_DESCRIPTION },
    contentType: 'application/octet-stream',
    payload: { type: 'string', format: 'binary', minLength: 17 },
    'x-binary-layout': {
      byteOrder: 'little-endian',
      header: AUDIO_FRAME_FIELDS,
      body: { offset: 16, description: AUDIO_FRAME_BODY },
    },
  };
}

const CLOSES = Object.entries(CLOSE_CODES)
  .map(([name, code]) => `${code} ${name}`)
  .join(', ');

/** The whole WebSocket interface as an AsyncAPI 3 document, from the point of view of the sandbox. */
export function asyncApiDocument(): Json {
  const fromClient = {
    ...textMessages(clientMessageSchemas()),
    [AGENT_FRAME]: frameMessage(AGENT_FRAME, "A piece of the agent's own voice."),
  };
  const fromServer = {
    ...textMessages(serverEventSchemas()),
    [CUSTOMER_FRAME]: frameMessage(CUSTOMER_FRAME, "A piece of the customer's utterance."),
  };
  const refs = (messages: Json, base: string) =>
    Object.keys(messages).map((name) => ({ $ref: `${base}/${name}` }));
  const channelMessages = { ...fromClient, ...fromServer };
  return {
    asyncapi: '3.1.0',
    id: `urn:${PROTOCOL_VERSION.replace('/', ':')}`,
    info: {
      title: 'Parlor sandbox',
      version: PROTOCOL_VERSION.split('/')[1],
      description: `Protocol ${PROTOCOL_VERSION}: a simulated customer speaks, an agent answers and calls tools. The rules stand in docs/protocol.md; this file and the JSON Schemas beside it are made from the same source.`,
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    servers: {
      local: {
        ...{ host: '127.0.0.1:8710', protocol: 'ws', description: 'What `parlor serve` starts' },
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels: {
      session: {
        address: '/v1',
        title: 'One session of one client',
        description: `Text frames hold one JSON message each, binary frames sound. Close codes: ${CLOSES}.`,
        messages: Object.fromEntries(
          Object.keys(channelMessages).map((name) => [name, { $ref: `${MESSAGES}/${name}` }]),
        ),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      takeFromClient: {
        ...{ action: 'receive', channel: { $ref: '#/channels/session' } },
        summary: 'What a client sends.',
        messages: refs(fromClient, '#/channels/session/messages'),
      },
      sendToClient: {
        ...{ action: 'send', channel: { $ref: '#/channels/session' } },
        summary: 'What the sandbox sends.',
        messages: refs(fromServer, '#/channels/session/messages'),
      },
    },
    components: {
      messages: channelMessages,
      securitySchemes: {
        token: {
          ...{ type: 'http', scheme: 'bearer' },
          description: 'Only where the server was started with a token',
        },
      },
    },
  };
}
