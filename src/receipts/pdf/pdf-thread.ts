import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Receipt } from '../../domain/sale/receipt.ts'

export interface AskedPdf {
  receipt: Receipt
  port: MessagePort
}

/** Draws PDF files in a thread of its own, which starts with the first one: many at a time delay no sale. */
export function createPdfThread() {
  let thread: { worker: Worker; ended: AbortController } | undefined

  function start() {
    const worker = new Worker(PROGRAM, { execArgv: ARGUMENTS })
    worker.unref()
    const ended = new AbortController()
    const end = (cause?: unknown) => {
      thread = undefined
      ended.abort(cause)
    }
    worker.once('error', end).once('exit', () => end())
    return { worker, ended }
  }

  return {
    /** @throws Error for a receipt that is too long for a PDF, and when the thread has ended */
    async draw(receipt: Receipt): Promise<Buffer> {
      thread ??= start()
      const { worker, ended } = thread
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ receipt, port: port2 } satisfies AskedPdf, [port2])
      const [drawn]: (Uint8Array | null)[] = await once(port1, 'message', { signal: ended.signal }).finally(() =>
        port1.close(),
      )
      if (!drawn) throw new Error('the receipt could not be drawn as a PDF')
      return Buffer.from(drawn)
    },
    close: async () => void (await thread?.worker.terminate()),
  }
}

/** An entry of the bundle (scripts/bundle.ts). Tests build the sources once. */
const { FISKD_TEST_BUNDLE: bundle } = process.env
const isSource = import.meta.url.endsWith('.ts')
const PROGRAM = bundle
  ? join(bundle, 'receipts/pdf-worker.js')
  : new URL(isSource ? 'pdf-worker.ts' : '../receipts/pdf-worker.js', import.meta.url)
const ARGUMENTS = isSource && !bundle ? ['--import', createRequire(import.meta.url).resolve('tsx')] : []
