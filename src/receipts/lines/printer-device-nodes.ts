import { readdir, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * Device nodes that may be printers, each under its most stable name: `fiskd/printer-*` (the udev rules of fiskd),
 * `serial/by-id/*`, `usb/lp*`, `ttyACM*`, `ttyUSB*`. A printer with a serial number is named by it, another by its
 * port. Missing folders count as empty.
 */
export async function listPrinterNodes(dev = '/dev'): Promise<string[]> {
  const [ours, byId, usb, bare] = await Promise.all([
    namesIn(join(dev, 'fiskd'), /^printer-/),
    namesIn(join(dev, 'serial/by-id')),
    namesIn(join(dev, 'usb'), /^lp\d+$/),
    namesIn(dev, /^tty(ACM|USB)\d+$/),
  ])
  const [byPort, bySerialNumber] = [ours.filter(isPortName), ours.filter((path) => !isPortName(path))]
  return onePerDevice([...bySerialNumber, ...byPort, ...byId, ...usb, ...bare])
}

const isPortName = (path: string) => /^printer-[a-z]+-at-/.test(basename(path))

async function onePerDevice(paths: readonly string[]): Promise<string[]> {
  const devices = await Promise.all(paths.map((path) => realpath(path).catch(() => path)))
  return paths.filter((_, index) => devices.indexOf(devices[index] as string) === index)
}

async function namesIn(folder: string, wanted = /^/): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => join(folder, name))
}
