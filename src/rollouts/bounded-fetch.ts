/**
 * `fetch` for addresses that somebody else chose: redirects are not followed but given back as they are (one could lead where
 * the address itself was not allowed to), and an answer of more than so many bytes breaks off.
 */
export function createBoundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    let received = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          received += chunk.byteLength;
          if (received <= maxBytes) controller.enqueue(chunk);
          else controller.error(new Error(`its answer is longer than ${maxBytes} bytes`));
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
