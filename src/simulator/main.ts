import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReceivedMessage } from './ledger.ts'
import { hasCheckDigit } from './oib.ts'
import { createPki } from './pki.ts'
import { runProgram } from './run-program.ts'
import { startSimulator } from './server.ts'

const HELP = `npm run simulator -- [--port 8449] [--dir data/simulator] [--oib 02994650199]

A stand-in for the tax authority's service on loopback, with certificates of its own making.
  --port   TLS port
  --dir    where bundle.pem, company.p12 and company.passphrase are written
  --oib    the company's OIB
`

const OPTIONS = {
  port: { type: 'string', default: '8449' },
  dir: { type: 'string', default: 'data/simulator' },
  oib: { type: 'string', default: '02994650199' },
  help: { type: 'boolean', default: false },
} as const

await runProgram({
  name: 'simulator',
  help: HELP,
  readOptions() {
    const { values } = parseArgs({ options: OPTIONS })
    const problem = problemWith(values.port, values.oib)
    if (problem) throw new Error(problem)
    return values
  },
  run: ({ port, dir, oib }) =>
    run(Number(port), resolve(dir), oib).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
      throw new Error(`port ${port} is in use: end what listens there, or choose another one with --port`)
    }),
})

function problemWith(port: string, oib: string): string | null {
  if (!/^\d+$/.test(port) || Number(port) > 65535) return `--port ${port}: give a port number, 0 to 65535`
  return hasCheckDigit(oib) ? null : `--oib ${oib}: give 11 digits with a correct check digit`
}

async function run(port: number, dir: string, oib: string): Promise<void> {
  const pki = await createPki()
  const company = await pki.issueCompany({ oib })
  const files = {
    bundle: join(dir, 'bundle.pem'),
    p12: join(dir, 'company.p12'),
    passphrase: join(dir, 'company.passphrase'),
  }
  // Listen first: if another simulator has the port, its files are still in use and must not be replaced.
  const simulator = await startSimulator({ port, pki, onMessage: (message) => print(lineFor(message)) })
  try {
    await mkdir(dir, { recursive: true })
    await writeFile(files.bundle, pki.bundlePem)
    await writeFile(files.p12, company.p12, { mode: 0o600 })
    await writeFile(files.passphrase, company.passphrase, { mode: 0o600 })
  } catch (error) {
    await simulator.close()
    throw error
  }
  // Register before printing that the simulator runs, because the reader of that line may end it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close())
  print(`The tax authority's stand-in listens. For the daemon:

  export FISKD_CIS_TEST_URL=${simulator.url}
  export FISKD_TRUST_TEST="${files.bundle}"

A company's certificate, OIB ${oib}: ${files.p12}
Its passphrase: ${files.passphrase}
Control: POST ${new URL('/_simulator/misbehave', simulator.url)}, GET ${new URL('/_simulator/received', simulator.url)}
Ctrl-C ends it; the certificates are new at every start.
`)
}

function lineFor(message: ReceivedMessage): string {
  const { number, premisesCode, registerMark, total, lateDelivery, jir, errors } = message
  const outcome = jir === null ? errors.map(({ code, message: text }) => `${code} ${text}`).join('; ') : `JIR ${jir}`
  const late = lateDelivery ? ' (late delivery)' : ''
  return `${message.sentAt} ${message.oib} ${number}/${premisesCode}/${registerMark} ${total}${late}: ${outcome}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
