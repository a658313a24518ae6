import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { ReceivedMessage } from './ledger.ts'
import { hasCheckDigit } from './oib.ts'
import { createPki } from './pki.ts'
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

const values = readOptions()
if (typeof values === 'string') {
  process.stderr.write(`${values}\n${HELP}`)
  process.exitCode = 2
} else if (values.help) {
  process.stdout.write(HELP)
} else {
  await run(Number(values.port), resolve(values.dir), values.oib).catch((error: NodeJS.ErrnoException) => {
    const inUse = `port ${values.port} is in use: end what listens there, or choose another one with --port`
    const why = error.code === 'EADDRINUSE' ? inUse : error.message
    process.stderr.write(`The simulator did not start: ${why}\n`)
    process.exitCode = 1
  })
}

/** The options, or a description of their fault. */
function readOptions() {
  try {
    const { values } = parseArgs({ options: OPTIONS })
    return problemWith(values.port, values.oib) ?? values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

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
  export FISKD_TRUST_TEST=${files.bundle}

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
