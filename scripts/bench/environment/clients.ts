import { Client } from 'undici'

/**
 * Connections that are kept alive, one for each client, and what each client does on its own until all of it is done.
 * @param count pieces of work over all clients
 * @param work one piece; its time is measured
 * @returns milliseconds of each piece, and what all of it took
 */
export async function workAll(
  clients: Client[],
  count: number,
  work: (client: Client, number: number) => Promise<void>,
): Promise<{ times: number[]; seconds: number }> {
  const times: number[] = []
  let begun = 0
  const started = performance.now()
  await Promise.all(
    clients.map(async (client, number) => {
      while (begun < count) {
        begun++
        const at = performance.now()
        await work(client, number)
        times.push(performance.now() - at)
      }
    }),
  )
  return { times, seconds: (performance.now() - started) / 1000 }
}

/** Opens a connection each, so that no handshake is measured. */
export async function connect(base: string, ca: string, count: number, path: string): Promise<Client[]> {
  const clients = Array.from({ length: count }, () => new Client(base, { connect: { ca }, pipelining: 1 }))
  await Promise.all(clients.map(async (client) => (await client.request({ method: 'GET', path })).body.dump()))
  return clients
}
