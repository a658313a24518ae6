import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Download } from '../client.ts'
import { broken, clash, type Failure, wrongUse } from '../failure.ts'
import type { Session } from '../session.ts'
import { clean, fields } from '../text.ts'
import { localTime } from '../times.ts'

/** The daemon copies and checks the whole database before it sends the first byte. */
const SILENCE_MS = 30 * 60_000

interface Made {
  file: string
  bytes: number
  sha256: string
  invoices: number
  newest_invoice_at: string | null
}

export function register(program: Command, session: Session): void {
  program
    .command('backup')
    .description(
      'Write a copy of the database to a file while sales go on, and check it. It holds everything but the vault key, ' +
        'which is kept apart: the private keys of the certificates open only with it.',
    )
    .argument('<file>', 'where to; - for the standard output')
    .option('--force', 'replace the file if there is one')
    .addHelpText(
      'after',
      '\nExample:\n  fisk backup /media/usb/fiskd-2026-07-21.db\n  fisk backup - | ssh office "cat > kiosk-7.db"',
    )
    .action((file: string, options: { force?: true }) => backup(file, options.force === true, session))
}

async function backup(file: string, force: boolean, session: Session): Promise<void> {
  const toStdout = file === '-'
  if (toStdout && session.wantsJson()) throw wrongUse('file', 'Standard output cannot take the backup and its JSON.')
  if (!toStdout) refuseExisting(file, force)
  const client = await session.client()
  const download = await client.download('/admin/backup', { silenceMs: SILENCE_MS })
  if (toStdout) {
    await receive(download, session.io.stdout, { end: false })
    session.io.stderr.write(madeText(factsOf(download, file)))
    return
  }
  await writeWhole(download, file, force)
  await session.show(factsOf(download, resolve(file)), madeText)
}

function refuseExisting(file: string, force: boolean): void {
  if (!force && existsSync(file)) throw clash('file', `${file} exists already.`, 'Choose another name, or add --force.')
}

/** Under its own name the file is whole or not there. */
async function writeWhole(download: Download, file: string, force: boolean): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    const handle = await open(part, 'wx', 0o600)
    try {
      await receive(download, writableOf(handle))
      await handle.sync()
    } finally {
      await handle.close()
    }
    refuseExisting(file, force)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw asFailure(file, error)
  } finally {
    download.body.destroy()
  }
  await syncFolder(dirname(file))
}

/** Takes the whole body, and compares it with what the daemon has checked. */
async function receive({ headers, body }: Download, sink: Writable, options = { end: true }): Promise<void> {
  const hash = createHash('sha256')
  let bytes = 0
  const hashed = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  await pipeline(body, hashed, sink, options).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ECONNRESET' ? brokenOff() : error
  })
  if (bytes !== Number(headers['content-length']) || hash.digest('hex') !== headers['x-sha256']) throw brokenOff()
}

/** Writes go to the handle, which stays open for its sync. */
function writableOf(handle: FileHandle): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      handle.writeFile(chunk).then(() => done(), done)
    },
  })
}

function brokenOff(): Failure {
  return broken('daemon_unreachable', 'The backup did not arrive as the daemon made it.', 'Run the command again.')
}

function asFailure(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error
  if (code === 'ENOENT') return wrongUse('file', `There is no directory ${dirname(resolve(file))}.`)
  if (code === 'EACCES') return wrongUse('file', `You may not write to ${dirname(resolve(file))}.`)
  if (code === 'ENOSPC') return wrongUse('file', `There is no room for the backup in ${dirname(resolve(file))}.`)
  return wrongUse('file', `${file} cannot be written: ${message}`)
}

/** So that the name lasts too. Some file systems of removable disks cannot do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().catch(() => {})
  await folder.close()
}

function factsOf({ headers }: Download, file: string): Made {
  const text = (name: string) => headers[name]?.toString()
  return {
    file,
    bytes: Number(headers['content-length']),
    sha256: text('x-sha256') ?? '',
    invoices: Number(text('x-invoices')),
    newest_invoice_at: text('x-newest-invoice-at') ?? null,
  }
}

function madeText({ file, bytes, sha256, invoices, newest_invoice_at }: Made): string {
  return fields([
    ['backup', file === '-' ? 'standard output' : clean(file)],
    ['size', `${(bytes / 1024 / 1024).toFixed(1)} MB`],
    ['SHA-256', sha256],
    ['sales', String(invoices)],
    ['newest sale', localTime(newest_invoice_at) ?? 'none'],
    ['keep apart', 'vault.key of the data directory; with the backup it opens every certificate'],
  ])
}
