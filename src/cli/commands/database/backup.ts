import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from '../../command.ts'
import type { Download } from '../../daemon/client.ts'
import { broken, type Failure, wrongUse } from '../../failure.ts'
import { refuseExisting, writeOutput } from '../../output-file.ts'
import { during } from '../../progress.ts'
import type { Session } from '../../session.ts'
import { clean, fields } from '../../text/columns.ts'
import { localTime } from '../../text/times.ts'

/** The daemon copies and checks the whole database before it sends the first byte. */
const SILENCE_MS = 30 * 60_000

export function register(program: Command, session: Session): void {
  program
    .command('backup')
    .description(
      'Write a copy of the database to a file while sales go on, and check it. It holds everything but the vault key, ' +
        'which is kept apart: the private keys of the certificates open only with it.',
    )
    .argument('<file>', 'where to; - for the standard output')
    .option('--force', 'replace the file if there is one')
    .examples('fisk backup /media/usb/fiskd-2026-07-21.db', 'fisk backup - | ssh office "cat > kiosk-7.db"')
    .action((file: string, options: { force?: true }) => backup(file, options.force === true, session))
}

async function backup(file: string, force: boolean, session: Session): Promise<void> {
  const toStdout = file === '-'
  if (toStdout && session.wantsJson()) throw wrongUse('file', 'Standard output cannot take the backup and its JSON.')
  if (!toStdout) refuseExisting(file, force)
  const client = await session.client()
  const making = client.download('/admin/backup', { silenceMs: SILENCE_MS })
  const download = await during(session, 'Making the backup', making)
  if (toStdout) {
    await receive(download, session.io.stdout, { end: false })
    session.io.stderr.write(madeText(factsOf(download, file)))
    return
  }
  const writing = writeOutput(file, { force, what: 'backup' }, (handle) => receive(download, writableOf(handle)))
  await during(session, 'Writing the backup', writing).finally(() => download.body.destroy())
  await session.show(factsOf(download, resolve(file)), madeText)
}

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

function factsOf({ headers }: Download, file: string) {
  const text = (name: string) => headers[name]?.toString()
  return {
    file,
    bytes: Number(headers['content-length']),
    sha256: text('x-sha256') ?? '',
    invoices: Number(text('x-invoices')),
    newest_invoice_at: text('x-newest-invoice-at') ?? null,
  }
}

function madeText({ file, bytes, sha256, invoices, newest_invoice_at }: ReturnType<typeof factsOf>): string {
  return fields([
    ['backup', file === '-' ? 'standard output' : clean(file)],
    ['size', `${(bytes / 1024 / 1024).toFixed(1)} MB`],
    ['SHA-256', sha256],
    ['sales', String(invoices)],
    ['newest sale', localTime(newest_invoice_at) ?? 'none'],
    ['keep apart', 'vault.key of the data directory; with the backup it opens every certificate'],
  ])
}
