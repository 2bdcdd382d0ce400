import type { Terminal } from '../terminal.js';

export const LOG_FORMATS = ['human', 'json'] as const;
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogEntry {
  readonly level: LogLevel;
  /** What kind of thing happened, for programs: `episode_end`, `request`, `draining` … */
  readonly event: string;
  /** The same for people, in one line. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined;
}

export interface ServeLogOptions {
  readonly format: (typeof LOG_FORMATS)[number];
  /** Entries below it are left out. */
  readonly level: LogLevel;
  /** Never printed, wherever they turn up. */
  readonly secrets: readonly string[];
  /** The time of day, for JSON lines. */
  readonly now: () => Date;
}

export type ServeLog = (entry: LogEntry) => void;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A name that a client chose must not start a line of its own, or colour a terminal. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (char) => SHORT_ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The log of `parlor serve`, on stderr: lines for people, or one JSON object a line. */
export function createServeLog(terminal: Terminal, options: ServeLogOptions): ServeLog {
  const lowest = LOG_LEVELS.indexOf(options.level);
  const redact = (line: string): string =>
    options.secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
  return ({ level, event, message, fields }) => {
    if (LOG_LEVELS.indexOf(level) < lowest) return;
    if (options.format === 'json') {
      const entry = { time: options.now().toISOString(), level, event, message, ...fields };
      terminal.err(`${redact(JSON.stringify(entry))}\n`);
    } else {
      const label = level === 'info' || level === 'debug' ? '' : `${level}: `;
      terminal.err(`parlor: ${label}${redact(oneLine(message))}\n`);
    }
  };
}
