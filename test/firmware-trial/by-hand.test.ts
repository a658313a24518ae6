import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TrialOrder } from '../../src/contract/reports/firmware-trial.ts'
import { DIST, FISKD } from '../support/programs.ts'
import { IN_MEMORY, tempDir } from '../support/temp-dir.ts'
import { buildClient } from './support/trial.ts'

let client: string
beforeAll(async () => {
  client = await buildClient()
})

/** A machine with the client in it, whose customer looks at what comes out. */
function startMachine(environment: Record<string, string>) {
  let child: ChildProcessWithoutNullStreams | undefined
  let [bought, lines]: [number, string[]] = [0, []]
  const said = (kind: string) => lines.filter((line) => line.startsWith(`${kind} ${bought}`))
  return {
    said,
    switchOn() {
      child = spawn(process.execPath, [client], { env: { ...process.env, ...environment }, stdio: 'pipe' })
      child.stdin.on('error', () => {})
      createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line))
    },
    async switchOff() {
      child?.kill('SIGKILL')
      if (child) await once(child, 'close')
    },
    buy(price: string, method: 'G' | 'K') {
      bought++
      lines = []
      child?.stdin.write(`sell ${bought} ${price} ${method}\n`)
    },
    looked: () => expect.poll(() => [...said('screen'), ...said('refused')].length).toBeGreaterThan(0),
  }
}

/** Plays the person before the machine: answers each question of the trial by what the machine did. */
async function tryByHand(scenarios: string[], goodsSeen: (really: number) => number = (really) => really) {
  const order: TrialOrder = {
    ...{ command: null, scenarios, list: false, listen: { host: '127.0.0.1', port: 0 }, patience_ms: 10_000 },
    ...{ junit: null, json: false, verbose: false, progress: false, fiskd: FISKD, version: '1.0.0' },
  }
  const env = { PATH: process.env.PATH, TMPDIR: IN_MEMORY }
  const trial = spawn(process.execPath, [join(DIST, 'firmware-trial/main.js'), JSON.stringify(order)], { env })
  const ended = once(trial, 'close')
  let machine: ReturnType<typeof startMachine> | undefined
  onTestFinished(async () => {
    await machine?.switchOff()
    trial.kill('SIGTERM')
    await ended
  })
  const state = await tempDir()
  let [out, unread] = ['', '']
  trial.stdout.setEncoding('utf8')
  for await (const text of trial.stdout) {
    out += text
    unread += text
    const setting = (name: string) => new RegExp(`^  ${name} +(.+)$`, 'm').exec(out)?.[1] ?? ''
    if (!machine && setting('device_id') !== '' && out.includes('Choose')) {
      machine = startMachine({
        ...{ FISKD_URL: setting('address'), FISKD_CA: setting('CA file'), FISKD_KEY: setting('API key') },
        ...{ FISKD_DEVICE: setting('device_id'), FISKD_STATE: state },
      })
      machine.switchOn()
    }
    if (!machine) continue
    const reply = (line: string) => {
      unread = ''
      trial.stdin.write(`${line}\n`)
    }
    // The same price each time, as most machines have it.
    const [, way] = /Choose something to buy (in cash|by card)\. Its price \[.*\]: $/.exec(unread) ?? []
    if (way) {
      // The same price each time, as most machines have it.
      reply('2.50')
      machine.buy('2.50', way === 'in cash' ? 'G' : 'K')
    } else if (/switch the machine off.*: $/i.test(unread)) {
      await machine.switchOff()
      reply('')
    } else if (/switch the machine on again.*: $/i.test(unread)) {
      machine.switchOn()
      reply('')
    } else if (/how many goods came out \[1\]: $/.test(unread)) {
      await machine.looked()
      reply(String(goodsSeen(machine.said('goods').length)))
    } else if (/return the money \(y or n\) \[n\]: $/.test(unread))
      reply(machine.said('refused').length > 0 ? 'y' : 'n')
    else if (/Enter if there is none: $/.test(unread)) {
      reply(machine.said('screen')[0]?.replace(/^screen \S+ /, '') ?? '')
    }
  }
  const [code] = await ended
  return { code, out }
}

test('a person who plays the scenarios at a machine that does all of it right is told that it passed', async () => {
  const { code, out } = await tryByHand(['plain', 'answer-lost', 'killed-waiting', 'paper-out'])
  expect(out).toContain('The firmware passed all of 4 scenarios')
  expect(code).toBe(0)
})

test('what a person saw is judged: goods that came out twice are named', async () => {
  const { code, out } = await tryByHand(['answer-lost'], (really) => really + 1)
  expect(out).toContain('goods-once (sale 1)')
  expect(code).toBe(1)
})
