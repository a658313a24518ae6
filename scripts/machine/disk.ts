import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { tick } from '../chaos/wait.ts'
import { type DiskLog, openDiskLog } from './disk-log.ts'
import { type Mood, troubleOf } from './disk-mood.ts'
import { type DiskRequest, NBD_ERRORS, speakNbd } from './nbd.ts'
import type { Loss } from './power-loss.ts'
import { openWriteCache } from './write-cache.ts'

/** What happens at a disk, told at once: who hears it may take the current away before anything else happens. */
export type DiskMoment = 'write' | 'before-flush' | 'flushed'

/** A disk with a volatile write cache, outside of the machine that it belongs to. */
export interface Disk {
  /** For QEMU. */
  url: string
  /** Every write and every mark since the start, where the disk records. */
  log: DiskLog | null
  /** Hears each moment; one listener at a time. `write`: it is in the cache. `flushed`: it is durable, and not yet answered. */
  listen(listener: ((moment: DiskMoment) => void) | null): void
  /** Serves from now on as a bad card does; an empty mood is a good card. */
  suffer(mood: Mood): void
  /**
   * Serves and answers nothing any more from this moment on, and loses what was not flushed.
   * @returns how many writes were lost or torn, of how many; the same again while it is off
   */
  powerOff(loss: Loss): { lost: number; of: number }
  /** Serves again what is durable; the listener is gone. */
  powerOn(): void
  close(): Promise<void>
}

export interface DiskOrder {
  /** A raw image; what is durable is in it. */
  image: string
  /** Where the disk listens. */
  socket: string
  /** The file of a log of writes and marks; none is kept when left out. */
  record?: string
}

/** Starts to serve an image as a disk, over NBD on a Unix socket. */
export async function startDisk({ image, socket: path, record }: DiskOrder): Promise<Disk> {
  const cache = openWriteCache(image)
  const log = record === undefined ? null : openDiskLog(record, tick)
  const clients = new Set<Socket>()
  let isOn = true
  let lastLoss = { lost: 0, of: 0 }
  let mood: Mood = {}
  let listener: ((moment: DiskMoment) => void) | null = null

  async function serve(request: DiskRequest): Promise<Buffer | number | null> {
    const trouble = await troubleOf(request, mood)
    // What it says that it has flushed stays in the cache.
    if (!isOn || trouble === 'lies') return null
    if (trouble) return trouble.error
    switch (request.kind) {
      case 'read':
        return cache.read(request.offset, request.length)
      case 'write':
        return write(mood.flush === 'lies' ? { ...request, fua: false } : request)
      case 'flush':
        listener?.('before-flush')
        if (!isOn) return null // nobody is there to be answered
        cache.flush()
        log?.mark('flush')
        listener?.('flushed')
        return null
    }
  }

  function write({ offset, data, fua }: DiskRequest): number | null {
    if (data.length === 0) return NBD_ERRORS.invalid
    log?.write(offset, data)
    if (fua) {
      cache.writeThrough(offset, data)
      log?.mark('fua')
    } else {
      cache.write(offset, data)
    }
    listener?.('write')
    return null
  }

  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    speakNbd(client, cache.size, serve).catch(() => client.destroy())
    if (!isOn) client.destroy()
  })
  server.listen(path)
  await once(server, 'listening')

  return {
    url: `nbd:unix:${path}`,
    log,
    listen(next) {
      listener = next
    },
    suffer(next) {
      mood = next
    },
    powerOff(loss) {
      if (!isOn) return lastLoss
      isOn = false
      for (const client of clients) client.destroy()
      lastLoss = cache.lose(loss)
      return lastLoss
    },
    powerOn() {
      listener = null
      isOn = true
    },
    async close() {
      for (const client of clients) client.destroy()
      server.close()
      await once(server, 'close')
      cache.close()
      log?.close()
    },
  }
}
