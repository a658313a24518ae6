import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import type { HealthCheck } from '../../src/fiscal/doctor/doctor.ts'
import { examine } from './diagnosis.ts'
import type { Gateway } from './gateway.ts'
import { broken, type Patient, sharedHealthyGateway } from './healthy.ts'
import { healthyMachine } from './machine.ts'
import { tempDir } from './temp-dir.ts'

/**
 * The shared healthy gateway of a test file, whose machine can be broken and is mended again.
 * @param checksOf those that a test runs alone
 */
export function breakableGateway(checksOf: (gateway: Gateway) => readonly HealthCheck[] = () => []) {
  let shared: Gateway
  let alone: Patient
  beforeAll(async () => {
    shared = await sharedHealthyGateway()
    const checks = checksOf(shared)
    alone = { dataDir: shared.dataDir, look: () => examine(checks) }
  })

  function breaking(patient: () => Patient) {
    /** What is found that was not found before; the shared gateway is whole again when the test ends. */
    const breakIt = (change: () => unknown, mend?: () => unknown) => broken(patient(), change, mend)

    /** The shared gateway on a machine that differs in this. */
    const withMachine = (differences: object) =>
      breakIt(
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

    return { broken: breakIt, withMachine, withProc }
  }

  return {
    gateway: () => shared,
    /** As all checks of the doctor see it. */
    whole: breaking(() => shared),
    /** As the checks of `checksOf` see it. */
    alone: breaking(() => alone),
  }
}

export const procText = (file: string) => readFile(join(healthyMachine().proc, file), 'utf8')
