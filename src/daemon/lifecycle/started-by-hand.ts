import { existsSync } from 'node:fs'

/** systemd runs this machine (sd_booted(3)), and the package has put fiskd.service there. */
const INSTALLED = ['/run/systemd/system', '/usr/lib/systemd/system/fiskd.service']

/**
 * A second one would stand in the way of the first, and what root makes in the data directory is not the service's.
 * Null where it may start. @param exists whether a path of this machine is there
 */
export function notByHand(env: NodeJS.ProcessEnv, exists: (path: string) => boolean = existsSync): string | null {
  const bySystemd = env.NOTIFY_SOCKET !== undefined || env.INVOCATION_ID !== undefined
  // A person who names another directory means another daemon.
  if (bySystemd || env.FISKD_DATA_DIR !== undefined || !INSTALLED.every(exists)) return null
  return `systemd runs fiskd on this machine; nothing was started.
  can it sell, and why not: fisk status
  to start it: sudo systemctl start fiskd
  why it does not run: sudo fisk doctor`
}
