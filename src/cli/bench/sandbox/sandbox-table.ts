import { formatTable } from '../format-table.js';
import type { SandboxTiming } from './bench-sandbox.js';
import type { Lateness } from './realtime-bench.js';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;

const tail = ({ p50Ms, p99Ms, maxMs }: Lateness): string =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, worst ${maxMs.toFixed(0)} ms`;

function rowsOf({
  realtime,
  fast,
  idle,
  toolCall,
}: SandboxTiming): readonly (readonly [string, string, string])[] {
  const { sessions, own, bare } = realtime;
  return [
    [
      `${whole(sessions)} sessions in real time`,
      tail(own),
      `lateness of ${whole(own.counted)} frames of 100 ms, 16 kHz PCM, over ${own.togetherSeconds.toFixed(0)} s with all of them speaking`,
    ],
    ['', tail(bare), 'a bare ws server with a timer for each connection, in the same run, in turns'],
    [
      '',
      `${whole(own.dropped)} dropped, ${whole(own.late)} late`,
      `of ${whole(own.frames)} frames; late: by more than a frame; the bare server ${whole(bare.dropped)} and ${whole(bare.late)}`,
    ],
    [
      '',
      `${own.cores.toFixed(2)} cores`,
      `server and clients together, setting up included; with the bare server ${bare.cores.toFixed(2)}`,
    ],
    [
      'one session, fast',
      `${whole(fast.megabytesPerSecond)} MB/s`,
      `bare ws sender ${whole(fast.bareMegabytesPerSecond)} MB/s in the same run: ${fast.ratio.toFixed(2)} of it (medians of ${fast.rounds} rounds in turns)`,
    ],
    [
      '',
      `${fast.cpuMsPerMegabyte.toFixed(2)} ms of CPU per MB`,
      `bare ws sender ${fast.bareCpuMsPerMegabyte.toFixed(2)} ms; sender and receiver together`,
    ],
    [
      'an idle session',
      kilobytes(idle.connected),
      `heap and buffers of the server, mean of ${whole(idle.sessions)}`,
    ],
    [
      '… in an episode',
      kilobytes(idle.inEpisode),
      'text, waiting for its agent; MCP server and client included',
    ],
    [
      'a tool call',
      `p50 ${toolCall.p50Ms.toFixed(2)} ms, p99 ${toolCall.p99Ms.toFixed(2)} ms`,
      `over the WebSocket and MCP; the world itself ${(toolCall.directMs * 1_000).toFixed(1)} µs, so ${(toolCall.p50Ms - toolCall.directMs).toFixed(2)} ms are added`,
    ],
  ];
}

/** The sandbox's figures as a Markdown table. */
export function formatSandboxBench(timing: SandboxTiming): string {
  return formatTable([['sandbox', 'measured', 'of what'], ...rowsOf(timing)]);
}
