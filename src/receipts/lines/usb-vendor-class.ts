import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Both } from '../../domain/texts/both.ts'

/** An attached printer that no line leads to. */
export interface UnusablePrinter {
  /** Maker and model, as the printer names itself. */
  name: string
  problem: Both
  fix: Both
}

/** Makers of receipt printers by their USB vendor ids (as in systemd/udev). */
const MAKERS: Record<string, string> = {
  '04b8': 'Epson',
  '0519': 'Star',
  '0dd4': 'Custom',
  '1504': 'Bixolon',
  '154f': 'SNBC',
  '1d90': 'Citizen',
  '20d1': 'HPRT',
}

/** USB interface classes: printer, communication, data of a virtual serial port, and the maker's own. */
const [PRINTER, COMMUNICATION, SERIAL_DATA, VENDOR] = ['07', '02', '0a', 'ff']

const PROBLEM = {
  en: "its USB port speaks the maker's own protocol, for which Linux has no driver: there is neither a /dev/usb/lp nor a serial port",
  hr: 'na USB-u koristi protokol proizvođača za koji Linux nema upravljački program: nema ni /dev/usb/lp ni serijskog priključka',
}

const VENDOR_CLASS_FIX = {
  en:
    "Switch the printer's USB mode to printer class, with the maker's tool or its switches (Epson: USB Interface, Printer " +
    'Class; Star: USB mode, Printer Class; Custom: USB printer or virtual COM), and plug it in again. Or use its serial or ' +
    'network port.',
  hr:
    'Na pisaču uključite USB način „printer class”, alatom proizvođača ili prekidačima (Epson: USB Interface, Printer Class; ' +
    'Star: USB mode, Printer Class; Custom: USB printer ili virtual COM), i ponovno ga priključite. Ili koristite njegov ' +
    'serijski ili mrežni priključak.',
}

/** USB printers of known makers with interfaces of vendor class only. @param devices of sysfs; may be missing */
export async function listVendorClassPrinters(devices = '/sys/bus/usb/devices'): Promise<UnusablePrinter[]> {
  const names = await readdir(devices).catch(() => [])
  const found: UnusablePrinter[] = []
  for (const device of names.filter((name) => !name.includes(':')).sort()) {
    const read = (file: string) => readText(join(devices, device, file))
    const maker = MAKERS[(await read('idVendor')) ?? '']
    if (maker === undefined) continue
    const interfaces = names.filter((name) => name.startsWith(`${device}:`))
    const classes = await Promise.all(interfaces.map((name) => readText(join(devices, name, 'bInterfaceClass'))))
    const hasLine = classes.some((one) => one === PRINTER || one === COMMUNICATION || one === SERIAL_DATA)
    if (hasLine || !classes.includes(VENDOR)) continue
    const product = (await read('product')) ?? `USB device ${await read('idProduct')}`
    const name = product.toLowerCase().includes(maker.toLowerCase()) ? product : `${maker} ${product}`
    found.push({ name, problem: PROBLEM, fix: VENDOR_CLASS_FIX })
  }
  return found
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
}
