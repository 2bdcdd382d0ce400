/** How whoever chose the server gave its settings, so that a failure names what there is to change. */
export interface SettingsWords {
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  readonly fewer: string;
  readonly textTools: string;
  readonly audio: string;
}

/** `flags`: on the command line. `fields`: in the body of `POST /v1/rollouts`. */
export const SETTINGS_WORDS = {
  flags: {
    baseUrl: '--base-url',
    key: "set PARLOR_API_KEY or OPENAI_API_KEY, or name the variable with --api-key-env (the customer's: --user-api-key-env)",
    model: '--model',
    fewer: 'lower --max-requests',
    textTools: '--tools text',
    audio: 'try the other --audio-form (audio_url, input_audio), or run with --mode text',
  },
  fields: {
    baseUrl: 'base_url',
    key: 'give it as api_key',
    model: 'model',
    fewer: 'post fewer rollouts at once',
    textTools: '"tools": "text"',
    audio: 'try the other audio_part (audio_url, input_audio), or post with mode "t-only"',
  },
} as const satisfies Record<string, SettingsWords>;
