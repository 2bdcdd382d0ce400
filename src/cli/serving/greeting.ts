export interface Greeting {
  readonly url: string;
  readonly tasks: number;
  readonly firstTask: string;
  readonly domain: string;
  readonly modes: string;
  readonly records: string | null;
  /** Environment variable that holds the token in the example. Null: no token is asked for. */
  readonly tokenEnv: string | null;
  readonly tlsCert: string | undefined;
}

/** A first conversation to paste into a shell in a folder where the `ws` package is installed, like the checkout. */
function example({ url, firstTask, tokenEnv, tlsCert }: Greeting): string {
  const headers =
    tokenEnv === null ? '' : `, { headers: { authorization: "Bearer " + process.env.${tokenEnv} } }`;
  // Of use for a certificate that no authority has signed, harmless for others.
  const trust = tlsCert === undefined ? '' : `NODE_EXTRA_CA_CERTS=${tlsCert} `;
  return `${trust}node --input-type=module -e '
import { WebSocket } from "ws";
const socket = new WebSocket("${url}"${headers});
socket.on("open", () => socket.send(JSON.stringify({ type: "episode.start", task: ${JSON.stringify(firstTask)}, mode: "text", seed: 1 })));
socket.on("message", (data, isBinary) => {
  const event = isBinary ? { type: "audio" } : JSON.parse(data);
  console.log(event.type, event.text ?? event.reason ?? "");
  if (event.type === "customer.end") socket.send(JSON.stringify({ type: "agent.stop" }));
  if (event.type === "episode.end") socket.close();
});'
`;
}

/** What `parlor serve` prints when it is ready. */
export function greet(greeting: Greeting): string {
  const { url, tasks, domain, modes, records } = greeting;
  const http = url.replace(/^ws/, 'http').replace(/\/v1$/, '');
  return (
    `Serving ${tasks} tasks of ${domain} in ${modes}\n` +
    `  agents   ${url}\n` +
    `  health   ${http}/health, ${http}/ready, ${http}/metrics\n` +
    `  records  ${records ?? 'not kept; give --out DIR'}\n` +
    `  stop     Ctrl-C\n\n` +
    `A first conversation, from another terminal:\n\n` +
    example(greeting)
  );
}
