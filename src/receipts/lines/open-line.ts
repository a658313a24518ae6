import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formatLineAddress, type LineAddress, type PrinterSettings } from '../../domain/printer.ts'
import { alike } from '../../domain/texts/both.ts'
import { openDeviceLine } from './device-line.ts'
import { openFileLine } from './file-line.ts'
import { type Line, LineError, type OpenLine } from './line.ts'
import { openSerialLine } from './serial-line.ts'
import { openTcpLine } from './tcp-line.ts'

/** The open lines of this process, by real name, because two names may lead to one printer. */
const held = new Map<string, string>()

export const openLine: OpenLine = async (address, settings) => {
  const name = formatLineAddress(address)
  const real = await realName(address)
  const holder = held.get(real)
  if (holder !== undefined) {
    const as = holder === name ? alike('') : { en: ` as ${holder}`, hr: ` kao ${holder}` }
    throw new LineError(
      'busy',
      {
        en: `${name} is already used by another printer of this installation${as.en}.`,
        hr: `${name} već koristi drugi pisač ove instalacije${as.hr}.`,
      },
      {
        en: 'Give each device a printer of its own, or take the printer away from the other one.',
        hr: 'Svakom uređaju postavite vlastiti pisač ili ga uklonite s drugoga.',
      },
    )
  }
  held.set(real, name)
  // Once: at a second close another line may hold the name.
  let isHeld = true
  const release = () => {
    if (isHeld) held.delete(real)
    isHeld = false
  }
  try {
    const line = await opened(address, settings)
    return { ...line, close: (deliverMs) => line.close(deliverMs).finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

function opened(address: LineAddress, settings: PrinterSettings): Promise<Line> {
  switch (address.kind) {
    case 'serial':
      return openSerialLine(address.path, settings)
    case 'usb':
      return openDeviceLine(address.path)
    case 'file':
      return openFileLine(address.path)
    case 'tcp':
      return openTcpLine(address.host, address.port)
  }
}

/** One name for each device, whatever links lead to it. What cannot be resolved fails later, with a better error. */
export async function realName(address: LineAddress): Promise<string> {
  if (address.kind === 'tcp') return formatLineAddress({ ...address, host: address.host.toLowerCase() })
  const path = await realpath(address.path).catch(() => undefined)
  if (path !== undefined) return path
  return join(await realpath(dirname(address.path)).catch(() => dirname(address.path)), basename(address.path))
}
