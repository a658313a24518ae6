import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPki, type Simulator, startSimulator, startTcpPrinter } from '../../simulator/index.ts'
import { makeCertificates } from './certificates.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { type Admin, adminAt, setUpCompany } from './set-up.ts'

const OIB = '02994650199'

/** A gateway that is set up to sell, with an authority of its own. */
export interface Gateway {
  /** Null while it is down. */
  process(): GatewayProcess | null
  authority: Simulator
  admin(): Admin
  companyId: string
  kill(): Promise<void>
  /** Starts it again on the same data. */
  start(): Promise<void>
}

/** Everything around the firmware, in one temporary folder. */
export type ProvingGround = Awaited<ReturnType<typeof openProvingGround>>

/** @param fiskd path of the daemon's program @param host an address for the certificates, beside loopback */
export async function openProvingGround(fiskd: string, host: string) {
  const dir = await mkdtemp(join(tmpdir(), 'fisk-trial-'))
  // A signal ends the trial between two lines: its processes are killed first, then this goes.
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const closers: (() => unknown)[] = [
    async () => {
      process.off('exit', remove)
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  ]
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    const [pki, certificates] = await Promise.all([createPki(), makeCertificates(host)])
    const caFile = join(dir, 'ca.pem')
    await writeFile(caFile, certificates.caPem)
    const company = await pki.issueCompany({ oib: OIB, name: 'Firmware Trial' })

    /** One for a scenario that takes it away. @param onMessage the authority has stored a sale and not answered yet */
    const own = async (name: string, onMessage?: () => void): Promise<Gateway> => {
      const dataDir = join(dir, name)
      await mkdir(join(dataDir, 'trust'), { recursive: true, mode: 0o700 })
      await writeFile(join(dataDir, 'trust', 'test.pem'), pki.bundlePem)
      const authority = await startSimulator({ pki, ...(onMessage && { onMessage }) })
      closers.push(() => authority.close())
      let running: GatewayProcess | null = null
      const gateway: Gateway = {
        process: () => running,
        authority,
        admin: () => adminAt(join(dataDir, 'fiskd.sock')),
        companyId: '',
        async kill() {
          const ending = running
          running = null
          await ending?.kill()
        },
        async start() {
          running = await startGatewayProcess(fiskd, dataDir, authority.url)
        },
      }
      closers.push(() => gateway.kill())
      await gateway.start()
      gateway.companyId = await setUpCompany(gateway.admin(), OIB, company)
      return gateway
    }

    let shared: Promise<Gateway> | undefined
    return {
      dir,
      caFile,
      certificates,
      /** The one that scenarios share which do it no harm. */
      shared: () => (shared ??= own('gateway')),
      own,
      async printer() {
        const printer = await startTcpPrinter()
        closers.push(() => printer.close())
        return printer
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
