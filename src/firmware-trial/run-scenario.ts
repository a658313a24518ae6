import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ScenarioResult } from '../contract/reports/firmware-trial.ts'
import { FINDING_CODES, subjectOf } from '../domain/sale/findings.ts'
import { findingText } from '../domain/texts/finding-texts.ts'
import type { Gateway, ProvingGround } from './environment/proving-ground.ts'
import { keyOf, type Machine, setUpMachine } from './environment/set-up.ts'
import type { Attempt, Evidence, Sale, StoredSale } from './evidence.ts'
import type { Firmware, FirmwareEnvironment } from './firmware/firmware.ts'
import { pass } from './front/actions.ts'
import { type Action, createFront } from './front/front.ts'
import { type Listener, openListener } from './front/listener.ts'
import { judge } from './rules/judge.ts'
import { pause, type Scenario, type Stage } from './scenarios/scenario.ts'

export interface TrialSetting {
  ground: ProvingGround
  address: { host: string; port: number }
  /** The first port serves all scenarios. */
  isFixed: boolean
  patienceMs: number
  /** A machine that a person has set up serves all scenarios; otherwise each has its own. */
  machine: Machine | null
  byHand: boolean
  firmware(environment: FirmwareEnvironment, scenario: Scenario): Firmware
}

const LOOK_ON_MS = 1500

/** Plays one scenario with a firmware of its own, and judges it. @throws Error when the trial itself does not work */
export async function runScenario(scenario: Scenario, setting: TrialSetting): Promise<ScenarioResult> {
  const { ground, patienceMs } = setting
  const startedAt = Date.now()
  const [attempts, sales, plans]: [Attempt[], Sale[], Action[]] = [[], [], []]
  let isTold = false
  const gateway: Gateway = scenario.ownGateway
    ? await ground.own(scenario.name, () => {
        // Only the first time: after a start, fiskd sends what waits by itself.
        if (!isTold) scenario.onMessage?.(gateway)
        isTold = true
      })
    : await ground.shared()
  const machine = setting.machine ?? (await setUpMachine(gateway.admin(), gateway.companyId))
  const before = (await storedSales(gateway, machine.deviceId)).map(({ id }) => id)
  if (scenario.printer) {
    const line = `tcp:127.0.0.1:${await scenario.printer(ground)}`
    await gateway.admin().patch(`/admin/printers/${machine.deviceId}`, { line, profile: 'epson-tm-t20' })
  }
  const front = createFront({
    listener: () => listener,
    gateway,
    life: () => firmware.life(),
    isEnding: (life) => firmware.isEnding(life),
    // A person cannot choose prices that differ.
    saleOf: (body) => (setting.byHand ? (sales.at(-1) ?? null) : saleOf(sales, body)),
    next: () => plans.shift() ?? pass,
    record: (attempt) => void attempts.push(attempt),
  })
  const listener: Listener = await openListener(setting.address, ground.certificates, front)
  // A machine or a board is set to its address once.
  if (setting.isFixed) setting.address.port = listener.port
  const state = join(ground.dir, `${scenario.name}-state`)
  await mkdir(state, { recursive: true })
  const { deviceId, key } = { ...machine, ...scenario.identity }
  const keys = [key]
  let dayLaterIn: number | null = null
  const firmware = setting.firmware(
    {
      FISKD_URL: `https://${nameOf(setting.address.host)}:${listener.port}`,
      FISKD_CA: ground.caFile,
      FISKD_KEY: key,
      FISKD_DEVICE: deviceId,
      FISKD_STATE: state,
    },
    scenario,
  )
  const { until, finished } = waiting(firmware, attempts, patienceMs)
  const stage: Stage = {
    ground,
    gateway,
    firmware,
    attempts,
    sales,
    until,
    finished: (sale) => (firmware.ask ?? finished)(sale),
    plan: (...actions) => void plans.push(...actions),
    // Ends in a zero, which numbers lose.
    async press(method = 'G', total = `${sales.length + 2}.50`) {
      const sale: Sale = { word: String(sales.length + 1), total, method, pressedAt: Date.now(), life: firmware.life() }
      sales.push(sale)
      await firmware.press(sale)
      return sale
    },
    show: listener.show,
    stallNext: listener.stallNext,
    async newKey() {
      keys.push(await keyOf(gateway.admin(), deviceId))
      return String(keys.at(-1))
    },
    startAgain: ({ key, hoursAhead }) => firmware.start({ ...(key && { FISKD_KEY: key }) }, hoursAhead),
    isDayLater() {
      dayLaterIn = firmware.life()
    },
    goAway: listener.goAway,
    comeBack: listener.comeBack,
  }
  try {
    await firmware.start()
    await scenario.play(stage)
    if (!setting.byHand) await pause(scenario.lookOnMs ?? LOOK_ON_MS)
    await firmware.finish()
    const stored = (await storedSales(gateway, machine.deviceId)).filter(({ id }) => !before.includes(id))
    const { spoken, endings } = firmware
    const evidence: Evidence = {
      startedAt,
      deviceId,
      keys,
      dayLaterIn,
      sales,
      attempts,
      spoken,
      endings,
      stored,
      byHand: setting.byHand,
    }
    const findings = judge(evidence, scenario)
    return {
      name: scenario.name,
      title: scenario.title,
      passed: findings.length === 0,
      // A program that is linked statically, or asks the kernel itself, has the clock of the machine.
      not_judged: scenario.needs && dayLaterIn === null ? `its clock does not follow ${scenario.needs}` : null,
      duration_ms: Date.now() - startedAt,
      findings,
      advice: adviceOn(stored),
      requests: attempts.map((attempt) => requestOf(attempt, startedAt)),
      log: firmware.log,
    }
  } finally {
    await firmware.end()
    await listener.close()
    if (scenario.printer) await gateway.admin().remove(`/admin/printers/${machine.deviceId}`)
    if (scenario.ownGateway) await gateway.kill()
  }
}

/** Totals tell the sales of a scenario apart, however a firmware writes them. */
function saleOf(sales: readonly Sale[], body: Record<string, unknown> | null): Sale | null {
  const total = Number(body?.total)
  return sales.find((sale) => Math.abs(Number(sale.total) - total) < 0.005) ?? sales.at(-1) ?? null
}

/** The name that the certificate has, and that needs no brackets. */
const nameOf = (host: string) => (host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host)

async function storedSales(gateway: Gateway, deviceId: string): Promise<StoredSale[]> {
  if (!gateway.process()) return []
  const list = await gateway.admin().get(`/v1/invoices?device_id=${deviceId}&limit=200`)
  const rows = list.data as { id: string; number: string; total: string; findings?: string[] }[]
  return rows.map(({ id, number, total, findings = [] }) => ({ id, number: Number(number), total, findings }))
}

function requestOf(attempt: Attempt, startedAt: number): ScenarioResult['requests'][number] {
  const { at, sale, method, path, key, requestId, answer, end, note } = attempt
  const left = end === 'left' && !note.includes('held') ? 'the firmware hung up' : ''
  return {
    at_ms: at - startedAt,
    sale: sale?.word ?? null,
    method,
    path,
    idempotency_key: key,
    request_id: requestId,
    status: answer?.status ?? null,
    note: [note, left].filter(Boolean).join('; '),
  }
}

const LOOK_EVERY_MS = 20
/** A firmware that is busy for ever has failed as well. */
const BUSY_FACTOR = 3

function waiting(firmware: Firmware, attempts: readonly Attempt[], patienceMs: number) {
  const until = async (holds: () => boolean): Promise<boolean> => {
    const began = Date.now()
    while (!holds()) {
      const acted = Math.max(began, attempts.at(-1)?.at ?? 0, firmware.spoken.at(-1)?.at ?? 0)
      if (Date.now() - acted > patienceMs || Date.now() - began > BUSY_FACTOR * patienceMs) return false
      await delay(LOOK_EVERY_MS)
    }
    return true
  }
  return {
    until,
    async finished({ word }: Sale): Promise<void> {
      await until(() => firmware.spoken.some((one) => one.word === word && one.kind !== 'screen'))
    },
  }
}

/** No breach. The trial makes sales late on purpose, so only what a sale says is of the firmware. */
export function adviceOn(stored: readonly StoredSale[]): ScenarioResult['advice'] {
  const found = new Set(stored.flatMap(({ findings }) => findings))
  const codes = FINDING_CODES.filter((code) => found.has(code) && subjectOf(code) === 'content')
  return codes.map((code) => ({ code, text: findingText(code).en }))
}
