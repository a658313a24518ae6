import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Device nodes that a printer may be behind, the steadiest names first: `serial/by-id/*`, `usb/lp*`, and `ttyACM*` and
 * `ttyUSB*` that have no by-id name. Folders that are not there are empty.
 */
export async function listPrinterNodes(dev = '/dev'): Promise<string[]> {
  const byId = (await namesIn(join(dev, 'serial/by-id'))).map((name) => join(dev, 'serial/by-id', name))
  const usb = (await namesIn(join(dev, 'usb'))).filter((name) => /^lp\d+$/.test(name))
  const covered = new Set(await Promise.all(byId.map((path) => realpath(path).catch(() => path))))
  const bare = (await namesIn(dev)).filter((name) => /^tty(ACM|USB)\d+$/.test(name)).map((name) => join(dev, name))
  const real = await realpath(dev).catch(() => dev)
  return [
    ...byId,
    ...usb.map((name) => join(dev, 'usb', name)),
    ...bare.filter((path) => !covered.has(join(real, path.slice(dev.length)))),
  ]
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}
