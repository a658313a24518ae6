import { startChild } from '../../chaos/child.ts'
import { type Bench, measureFloor } from '../bench.ts'
import { connect, workAll } from '../environment/clients.ts'
import { median } from '../statistics.ts'

const CLIENTS = 8

/** What this machine can do at all: signatures, fsync, and fastify with nothing to do. */
export async function ceilings({ figures, scratch, runs, much }: Bench): Promise<void> {
  const child = startChild(new URL('../environment/empty-route-process.ts', import.meta.url), null, scratch)
  const { port, ca } = await child.order<{ port: number; ca: string }>('facts')
  const post = async (client: Awaited<ReturnType<typeof connect>>[number]) => {
    const { body } = await client.request({ method: 'POST', path: '/', body: '{}', headers: JSON_BODY })
    await body.dump()
  }
  const ask = async (clients: number, count: number) => {
    const connections = await connect(`https://127.0.0.1:${port}`, ca, clients, '/')
    const done = await workAll(connections, count, post)
    await Promise.all(connections.map((connection) => connection.close()))
    return { perSecond: count / done.seconds, medianMs: median(done.times) }
  }
  await ask(CLIENTS, 2000)
  for (let run = 0; run < runs; run++) {
    const { signMs, verifyMs, syncMs, cryptoMs } = measureFloor(scratch.dir)
    figures.add('RSA-2048 signatures, one thread', '1/s', 1000 / signMs)
    figures.add('RSA-2048 checks, one thread', '1/s', 1000 / verifyMs)
    figures.add('2 signatures and 1 check', 'ms', cryptoMs)
    figures.add('4 KB written and fsynced', '1/s', 1000 / syncMs)
    figures.add(`empty route over TLS, ${CLIENTS} clients`, '1/s', (await ask(CLIENTS, much(10_000, 2000))).perSecond)
    figures.add('empty route over TLS, 1 client', 'ms', (await ask(1, much(2000, 500))).medianMs)
  }
  child.kill()
}

const JSON_BODY = { 'content-type': 'application/json' }
