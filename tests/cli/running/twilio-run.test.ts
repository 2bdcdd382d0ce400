import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../../src/episodes/index.js';
import { tone, twilioServer } from '../../agents/twilio/helpers/twilio-server.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

describe('parlor run --agent twilio', () => {
  it('calls the agent for every episode and writes down what it said', async () => {
    const { url, sessions } = await twilioServer({
      onTurn: (session) => {
        session.speak(tone(300));
        session.mark('transcript:I cannot help you with that.');
        session.socket.close(1000);
      },
    });
    const out = join(temporaryFolder(), 'run');
    const result = await cli(
      [
        ...['run', '--agent', 'twilio', '--url', url, '--pace', 'fast', '--end-silence', '60'],
        ...['--tasks', '2', '--trials', '1', '--out', out, '--no-report'],
      ],
      { env: { PARLOR_CACHE_DIR: temporaryFolder() } },
    );
    expect(result.exitCode, result.stderr).toBe(0);
    const { records } = await readRun(out);
    expect(records.map(({ end, header }) => [end?.reason, header.mode])).toEqual([
      ['agent_stop', 'speech'],
      ['agent_stop', 'speech'],
    ]);
    expect(new Set(sessions.map(({ streamSid }) => streamSid)).size).toBe(2);
    for (const { parameters } of sessions) expect(Object.keys(parameters)).toContain('policy');
  });

  it('is refused customers that break in, of which nothing would tell the agent', async () => {
    const flags = ['--url', 'ws://localhost:1', '--mode', 'speech', '--turn-taking', 'lively'];
    const { exitCode, stderr } = await cli(['run', '--agent', 'twilio', ...flags]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^parlor: [^\n]*--turn-taking patient or attentive\n$/);
  });

  it('takes customers that take turns with it', async () => {
    const { url } = await twilioServer({
      onTurn: (session) => {
        session.speak(tone(300));
        session.mark('transcript:I cannot help you with that.');
        session.socket.close(1000);
      },
    });
    const out = join(temporaryFolder(), 'run');
    const result = await cli(
      [
        ...['run', '--agent', 'twilio', '--url', url, '--pace', 'fast', '--end-silence', '60'],
        ...['--trailing-silence-ms', '800', '--turn-taking', 'attentive'],
        ...['--tasks', '1', '--trials', '1', '--out', out, '--no-report'],
      ],
      { env: { PARLOR_CACHE_DIR: temporaryFolder() } },
    );
    expect(result.exitCode, result.stderr).toBe(0);
    const { records } = await readRun(out);
    expect(records[0]?.header.turnTaking).toBe('attentive');
    const said = records[0]?.events.find((event) => event.type === 'agent');
    expect(said?.type === 'agent' && said.call?.samples).toBeGreaterThan(0);
  });

  it('says what is missing in one line', async () => {
    const lines = await Promise.all(
      [
        ['--url', 'http://localhost:1'],
        [],
        ['--url', 'ws://localhost:1', '--transcriber-url', 'nowhere'],
        [
          '--url',
          'ws://localhost:1',
          '--transcriber-url',
          'http://localhost:1',
          '--transcriber-key-env',
          'NONE',
        ],
      ].map((flags) => cli(['run', '--agent', 'twilio', ...flags])),
    );
    for (const { exitCode, stderr } of lines) {
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^parlor: [^\n]+\n$/);
    }
  });
});
