import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTwilioAgent, type TwilioAgentOptions } from '../../../src/agents/index.js';
import { decodeWav } from '../../../src/audio/index.js';
import { createOpenAiTranscriber } from '../../../src/models/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { eventsOf, testSandbox } from '../../sandbox/helpers/sandbox.js';
import { silence, type TwilioServerOptions, tone, twilioServer } from './helpers/twilio-server.js';

async function call(server: TwilioServerOptions, options: Partial<TwilioAgentOptions> = {}) {
  const agentServer = await twilioServer(server);
  const testing = await testSandbox();
  const agent = createTwilioAgent({
    ...{ url: agentServer.url, pace: 'fast', clock: systemClock, endSilenceMs: 60 },
    ...options,
  });
  const assignment = {
    url: testing.sandbox.url,
    task: 'cancel-lamp',
    mode: 'speech',
    seed: 1,
    trial: 0,
  } as const;
  const running = agent.run(assignment, new AbortController().signal);
  const said = () =>
    eventsOf(testing.records, 'cancel-lamp.speech.t0.s1').flatMap((event) =>
      event.type === 'agent' ? [event.text] : [],
    );
  return { ...testing, running, said, sessions: agentServer.sessions, url: agentServer.url };
}

const words = ['Which order is it?', 'I am sorry to hear that.', 'Good bye, bye'];

/** Says the next of its sentences, with its words in a mark. */
const talker: TwilioServerOptions = {
  onTurn: (session, turn) => {
    session.speak(tone(300));
    session.mark(`transcript:${words[turn - 1]}`);
  },
};

describe('an agent that speaks Twilio Media Streams', () => {
  it('is called, heard and answered until the customer hangs up', async () => {
    const { running, said, sessions, records } = await call(talker);
    expect(await running).toEqual({
      episode: 'cancel-lamp.speech.t0.s1',
      reason: 'customer_stop',
      faults: [],
    });
    expect(said()).toEqual(words);
    const voice = eventsOf(records, 'cancel-lamp.speech.t0.s1').flatMap((event) =>
      event.type === 'agent' ? [event.audio] : [],
    );
    expect(voice).toEqual(words.map(() => expect.objectContaining({ durationMs: 300 })));
    const [session] = sessions;
    await session?.closed;
    const messages = session?.messages ?? [];
    expect(messages[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(messages[1]).toMatchObject({
      ...{ event: 'start', sequenceNumber: '1', streamSid: expect.stringMatching(/^MZ[0-9a-f]{32}$/) },
      start: {
        ...{ callSid: expect.stringMatching(/^CA/), tracks: ['inbound'] },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: { episode: 'cancel-lamp.speech.t0.s1', policy: 'Be kind.' },
      },
    });
    expect(messages.filter(({ event }) => event === 'mark').map(({ mark }) => mark?.name)).toEqual(
      words.map((text) => `transcript:${text}`),
    );
    expect(messages.at(-1)?.event).toBe('stop');
    expect(messages.slice(1).map(({ sequenceNumber }) => sequenceNumber)).toEqual(
      messages.slice(1).map((_, index) => String(index + 1)),
    );
    const media = messages.flatMap((message) => (message.media === undefined ? [] : [message.media]));
    for (const [index, { track, chunk, timestamp, payload }] of media.entries()) {
      expect([track, chunk, timestamp]).toEqual(['inbound', String(index + 1), String(index * 20)]);
      expect(Buffer.from(payload, 'base64')).toHaveLength(160);
    }
  });

  it("hears each of the customer's lines for as long as it lasts: 8 kHz, whatever the voice speaks at", async () => {
    const { running, sessions, records } = await call(talker);
    await running;
    await sessions[0]?.closed;
    const spokenMs = eventsOf(records, 'cancel-lamp.speech.t0.s1').flatMap((event) =>
      event.type === 'customer' && event.audio != null ? [event.audio.durationMs] : [],
    );
    expect(spokenMs).toHaveLength(4);
    const tailMs = 1_000;
    const wanted = spokenMs.reduce((sum, ms) => sum + Math.ceil(ms / 20) * 20 + tailMs, 0);
    expect(sessions[0]?.messages.filter(({ event }) => event === 'media').length).toBe(wanted / 20);
  });

  it('does what it is asked with the tools of its MCP endpoint, at the pace of a telephone', async () => {
    const { running, said, summaries } = await call(
      {
        onTurn: async (session) => {
          const { mcp_url: url = '', mcp_token: token = '' } = session.parameters;
          const client = new Client({ name: 'voice-agent', version: '1' });
          const requestInit = { headers: { authorization: `Bearer ${token}` } };
          const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
          // Its optional callbacks are typed without undefined, which the SDK's own interface does not ask for.
          await client.connect(transport as Parameters<typeof client.connect>[0]);
          const order = { order_id: '#W0000001', reason: 'no longer needed' };
          await client.callTool({ name: 'cancel_pending_order', arguments: order });
          await client.close();
          session.speak(tone(200));
          session.mark('transcript:I have cancelled it. Bye, bye');
        },
      },
      { pace: 'realtime' },
    );
    expect((await running).reason).toBe('customer_stop');
    expect(said()).toEqual(['I have cancelled it. Bye, bye']);
    expect(summaries[0]?.outcome).toMatchObject({ success: true, reward: 1 });
  });

  it('may stream silence without an end: the customer still speaks, and what is said in it is found', async () => {
    const flood: TwilioServerOptions = {
      onStart: (session) => {
        session.speak(silence(60_000));
        const timer = setInterval(() => session.speak(silence(20)), 5);
        session.socket.on('close', () => clearInterval(timer));
      },
      onTurn: talker.onTurn,
    };
    const { running, said } = await call(flood);
    expect((await running).reason).toBe('customer_stop');
    expect(said()).toEqual(words);
  });

  it('needs no transcript where a transcriber is: it gets the sound as WAV at 8 kHz', async () => {
    const heard: { seconds: number; rate: number; authorization: string | undefined; body: string }[] = [];
    const transcribing = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const from = body.indexOf('RIFF');
      const { samples, sampleRateHz } = decodeWav(
        body.subarray(from, from + 8 + body.readUInt32LE(from + 4)),
      );
      const seconds = samples.length / sampleRateHz;
      heard.push({
        seconds,
        rate: sampleRateHz,
        authorization: request.headers.authorization,
        body: body.toString('latin1'),
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text: ` ${words[heard.length - 1]}` }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void transcribing.close());
    await new Promise((resolve) => transcribing.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(transcribing.address() as AddressInfo).port}/v1`;
    const transcriber = createOpenAiTranscriber({ baseUrl, model: 'ears', apiKey: 'k', clock: systemClock });
    const { running, said } = await call({ onTurn: (session) => session.speak(tone(400)) }, { transcriber });
    expect((await running).reason).toBe('customer_stop');
    expect(said()).toEqual(words);
    for (const { seconds, rate, authorization, body } of heard) {
      expect([rate, authorization]).toEqual([8_000, 'Bearer k']);
      expect(seconds).toBeCloseTo(0.4, 1);
      expect(body).toMatch(/name="model"\r\n\r\nears/);
    }
  });

  it('says several things before it falls silent, and may end its turn by a mark', async () => {
    const { running, said } = await call(
      {
        onTurn: (session) => {
          session.speak(tone(200));
          session.mark('transcript:One moment,');
          session.speak(silence(100));
          session.speak(tone(200));
          session.mark('transcript:and bye.');
          session.mark('turn-end');
        },
      },
      // Only the mark can end it.
      { endSilenceMs: 3_600_000 },
    );
    expect((await running).reason).toBe('customer_stop');
    expect(said()).toEqual(['One moment, and bye.']);
  });

  it('hangs up: its last words are told first, and the reason stays what it was', async () => {
    const { running, said, nextEnd } = await call({
      onTurn: (session) => {
        session.speak(tone(300));
        session.mark('transcript:I hang up now.');
        session.socket.close(1000);
      },
    });
    expect((await running).reason).toBe('agent_stop');
    expect(said()).toEqual(['I hang up now.']);
    expect((await nextEnd()).reason).toBe('agent_stop');
  });

  it('that is lost has failed: the episode ends as its own', async () => {
    const { running, nextEnd } = await call({ onTurn: (session) => session.socket.terminate() });
    await expect(running).rejects.toMatchObject({ code: 'connection-lost' });
    expect(await nextEnd()).toMatchObject({ reason: 'agent_disconnected', owner: 'agent' });
  });

  it.each([
    ["another stream's id", { event: 'clear', streamSid: 'MZ0' }, /streamSid "MZ0"/],
    [
      'a WAV file',
      { event: 'media', media: { payload: Buffer.from('RIFF....').toString('base64') } },
      /a WAV file/,
    ],
    ['no base64', { event: 'media', media: { payload: '***' } }, /media\.payload/],
    ['no event of the protocol', { event: 'speak' }, /event/],
  ])('that sends %s is told apart from a lost one', async (_what, message, wanted) => {
    const { running } = await call({
      onTurn: ({ socket, streamSid }) => socket.send(JSON.stringify({ streamSid, ...message })),
    });
    await expect(running).rejects.toMatchObject({
      code: 'protocol-fault',
      message: expect.stringMatching(wanted),
    });
  });

  it('without words or a transcriber is a set-up to be put right', async () => {
    const { running } = await call({ onTurn: (session) => session.speak(tone(300)) });
    await expect(running).rejects.toThrow(/--transcriber-url/);
  });

  it('that cannot be reached costs no episode, and in text it cannot be called at all', async () => {
    const { sandbox, records } = await testSandbox();
    const agent = createTwilioAgent({ url: 'ws://127.0.0.1:9/', clock: systemClock });
    const assignment = { url: sandbox.url, task: 'cancel-lamp', seed: 1, trial: 0 };
    const signal = new AbortController().signal;
    await expect(agent.run({ ...assignment, mode: 'speech' }, signal)).rejects.toThrow(
      /no connection to the agent/,
    );
    await expect(agent.run({ ...assignment, mode: 'text' }, signal)).rejects.toThrow(/--mode speech/);
    expect(records.episodes.size).toBe(0);
  });
});
