import { createServer } from 'node:net'
import { type Chance, createChance } from './chance.ts'

const ANY = createChance(Date.now())

/**
 * A port of loopback that is free now and lies below those that systems give to outgoing connections: the devices knock
 * at it while nobody listens, and one of their own connections must not take it meanwhile.
 */
export async function freePort(chance: Chance = ANY): Promise<number> {
  for (;;) {
    const port = Math.floor(chance.between(18_000, 28_000))
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
