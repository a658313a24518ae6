import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompanyCertificate, Pki, Simulator, TcpPrinter } from '../../../src/simulator/index.ts'
import { run } from '../../package/run.ts'
import type { FolderRoot } from '../booted-root.ts'
import type { Firmware, Sale } from '../firmware.ts'
import { must } from '../root.ts'

export const OIB = '02994650199'
export const OTHER_OIB = '69435151530'
export const ENV_FILE = 'etc/fiskd/fiskd.env'
/** Of the authority's service, in a network of its own. */
export const CIS_ADDRESS = '10.77.1.1'
export const LAN_ADDRESS = '10.77.0.1'

/** A machine that sells, its authority, and what can happen to both. */
export interface Field {
  root: FolderRoot
  cis: Simulator
  /** An authority that nobody trusts. */
  stranger: Pki
  firmware: Firmware
  /** Where packages of other versions are made, and from which. */
  releases: { deb: string; scratch: string }
  printer: TcpPrinter | null
  /** Changes a file of the machine. */
  edit(path: string, change: (text: string) => string): void
  /** Puts a line at the end of the environment file. */
  setEnv(line: string): void
  /** A shell command of the machine, which has to succeed. */
  sh(command: string): Promise<string>
  /** The same, whatever comes of it: for what is broken. */
  try(command: string): Promise<void>
  /** @throws Error when it is not fiscalized within a minute */
  sell(): Promise<Sale>
}

export function createField(parts: Pick<Field, 'root' | 'cis' | 'stranger' | 'firmware' | 'releases'>): Field {
  const { root, firmware } = parts
  const edit: Field['edit'] = (path, change) => {
    const file = root.path(path)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
  }
  return {
    ...parts,
    printer: null,
    edit,
    setEnv: (line) => edit(ENV_FILE, (text) => `${text}${line}\n`),
    sh: async (command) => must(await root.sh(command)).stdout,
    try: async (command) => void (await root.sh(command)),
    async sell() {
      const order = firmware.order()
      for (const until = performance.now() + 60_000; ; ) {
        try {
          return await firmware.sell(order)
        } catch (error) {
          if (performance.now() > until) throw error
          await pause(500)
        }
      }
    },
  }
}

/** Puts a certificate and its passphrase where a technician would. */
export function putCertificate({ root }: Pick<Field, 'root'>, name: string, certificate: CompanyCertificate): void {
  writeFileSync(root.path(`root/${name}.p12`), certificate.p12)
}

/** Changes the network that this process and the machine are in. */
export const ip = (...args: string[]) => run('ip', args)

/** Removes a line that the screen names by its number. */
export async function removeNamedLine({ edit }: Field, screen: string): Promise<void> {
  const line = Number(/\bline (\d+)/.exec(screen)?.[1])
  if (!line) throw new Error('no line is named')
  edit(ENV_FILE, (text) =>
    text
      .split('\n')
      .toSpliced(line - 1, 1)
      .join('\n'),
  )
}
