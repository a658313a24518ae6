import { spawnSync } from 'node:child_process'
import { startDaemon } from '../../chaos/daemon.ts'
import type { Bench } from '../bench.ts'

const LEAST_STARTS = 5

/** From the start of the process until sales are taken, with one device, and beside it what an empty Node takes. */
export async function start(bench: Bench): Promise<void> {
  const { figures, runs, dist, scratch, stub } = bench
  const stand = await bench.stand({ name: 'start', machines: 1 })
  await stand.daemon.stop()
  // As it is in service: without the known ids.
  const env = {
    FISKD_DATA_DIR: stand.daemon.dataDir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_CIS_TEST_URL: stub.facts.url,
    FISKD_CIS_LIVE_URL: stub.facts.url,
  }
  for (let i = 0; i < Math.max(LEAST_STARTS, 2 * runs + 1); i++) {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    const emptyMs = performance.now() - began
    figures.add('node -e 0', 'ms', emptyMs)
    const life = startDaemon(dist, env, scratch, 'start.log')
    const readyMs = await life.ready
    const { lastWords } = await life.terminate()
    if (readyMs === null) throw new Error(`the daemon did not start:\n${lastWords}`)
    figures.add('start to READY', 'ms', readyMs)
    figures.add('start to READY / node -e 0', '×', readyMs / emptyMs)
  }
  await stand.close()
}
