import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import type { SaidCheck } from '../../src/domain/check.ts'
import { changed, diagnose } from './diagnosis.ts'
import type { Gateway } from './gateway.ts'
import { sharedHealthyGateway } from './healthy.ts'
import { healthyMachine } from './machine.ts'
import { tempDir } from './temp-dir.ts'

/** The shared healthy gateway of a test file, whose machine can be broken and is mended again. */
export function breakableGateway() {
  let shared: Gateway
  let healthy: SaidCheck[]
  beforeAll(async () => {
    shared = await sharedHealthyGateway()
    healthy = await diagnose(shared)
  })

  /** What the doctor says differently of the shared gateway; it is whole again when the test ends. */
  async function broken(breakIt: () => unknown, mend: () => unknown = () => {}): Promise<SaidCheck[]> {
    onTestFinished(async () => void (await mend()))
    await breakIt()
    return changed(healthy, await diagnose(shared))
  }

  /** The shared gateway on a machine that differs in this. */
  const withMachine = (differences: object) =>
    broken(
      () => Object.assign(shared.machine, differences),
      () => Object.assign(shared.machine, healthyMachine()),
    )

  /** The machine of the shared gateway with this in a file of its /proc. */
  async function withProc(file: string, text: string) {
    const dir = await tempDir()
    await mkdir(join(dir, 'self'))
    for (const name of ['self/mountinfo', 'self/limits', 'cmdline']) {
      await copyFile(join(healthyMachine().proc, name), join(dir, name))
    }
    await writeFile(join(dir, file), text)
    return withMachine({ proc: dir })
  }

  return { gateway: () => shared, broken, withMachine, withProc }
}

export const procText = (file: string) => readFile(join(healthyMachine().proc, file), 'utf8')
