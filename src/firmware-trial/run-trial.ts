import type { ScenarioResult, TrialOrder, TrialReport } from '../contract/reports/firmware-trial.ts'
import { openProvingGround, type ProvingGround } from './environment/proving-ground.ts'
import { setUpMachine } from './environment/set-up.ts'
import { createMachineByHand, type Person, settingsText } from './firmware/by-hand.ts'
import type { Firmware, FirmwareEnvironment } from './firmware/firmware.ts'
import { createFirmwareProcess } from './firmware/firmware-process.ts'
import { runScenario, type TrialSetting } from './run-scenario.ts'
import type { Scenario } from './scenarios/scenario.ts'

/** Each waits most of the time; two cores carry so many firmwares. */
export const AT_ONCE = 6
const LOOPBACK = '127.0.0.1'

interface Around {
  /** Who works with the machine where there is no command. */
  person: Person | null
  onEnd(result: ScenarioResult): void
  onLine(scenario: Scenario, line: string): void
}

/** Plays the scenarios and reports on them, in their order. Nothing is left behind. */
export async function runTrial(
  order: TrialOrder,
  scenarios: readonly Scenario[],
  around: Around,
): Promise<TrialReport> {
  const startedAt = new Date()
  const ground = await openProvingGround(order.fiskd, order.listen?.host ?? LOOPBACK)
  try {
    const results = await playAll(await settingFor(order, ground, around), order, scenarios, around)
    const all = scenarios.flatMap((scenario) => results.get(scenario) ?? [])
    return {
      object: 'firmware_trial',
      passed: all.every(({ passed }) => passed),
      version: order.version,
      started_at: startedAt.toISOString(),
      duration_ms: Date.now() - startedAt.getTime(),
      command: order.command,
      scenarios: all,
    }
  } finally {
    await ground.close()
  }
}

async function settingFor(order: TrialOrder, ground: ProvingGround, around: Around): Promise<TrialSetting> {
  const { command, listen, patience_ms: patienceMs } = order
  const { person } = around
  const address = listen ?? { host: LOOPBACK, port: 0 }
  const gateway = person ? await ground.shared() : null
  let isSet = false
  return {
    ground,
    address,
    patienceMs,
    byHand: person !== null,
    isFixed: listen !== null,
    machine: gateway && (await setUpMachine(gateway.admin(), gateway.companyId)),
    firmware(environment: FirmwareEnvironment, scenario: Scenario): Firmware {
      if (!person) {
        return createFirmwareProcess(command ?? [], environment, patienceMs, (line) => around.onLine(scenario, line))
      }
      if (!isSet) person.tell(settingsText(environment))
      isSet = true
      return createMachineByHand(person, scenario.title)
    },
  }
}

async function playAll(
  setting: TrialSetting,
  { listen }: TrialOrder,
  scenarios: readonly Scenario[],
  { onEnd }: Around,
): Promise<Map<Scenario, ScenarioResult>> {
  const results = new Map<Scenario, ScenarioResult>()
  // The longest first, so that nothing long is left at the end.
  const waiting = listen ? [...scenarios] : [...scenarios].sort((a, b) => b.seconds - a.seconds)
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runScenario(next, setting)
      results.set(next, result)
      onEnd(result)
    }
  }
  await Promise.all(Array.from({ length: listen ? 1 : AT_ONCE }, work))
  return results
}
