import { lstatSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { openPty } from './pty.ts'

export interface CableOptions {
  /** Created by `plugIn`, removed by `unplug`. */
  linkPath?: string | undefined
  onBytes: (bytes: Uint8Array) => void
}

/** A USB serial cable. Plugged in again, its device has another number; a link keeps its path, like `/dev/serial/by-id`. */
export function createCable({ linkPath, onBytes }: CableOptions) {
  let pty: Awaited<ReturnType<typeof openPty>> | undefined
  return {
    /** The path of the link if there is one, else of the current device. */
    get path() {
      if (linkPath !== undefined) return linkPath
      if (!pty) throw new Error('The cable is not plugged in')
      return pty.path
    },
    /** @throws Error when another file has the link's name */
    async plugIn() {
      if (pty) return
      if (linkPath !== undefined) expectLink(linkPath)
      pty = await openPty(onBytes)
      if (linkPath !== undefined) pointTo(pty.path, linkPath)
    },
    unplug() {
      if (linkPath !== undefined) rmSync(linkPath, { force: true })
      pty?.close()
      pty = undefined
    },
    write: (bytes: Uint8Array) => pty?.write(bytes),
    pause: () => pty?.pause(),
    resume: () => pty?.resume(),
  }
}

function expectLink(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isSymbolicLink()) throw new Error(`${path} is there already, and no link`)
}

/** Replaces the link atomically. */
function pointTo(device: string, path: string): void {
  rmSync(`${path}.new`, { force: true })
  symlinkSync(device, `${path}.new`)
  renameSync(`${path}.new`, path)
}
