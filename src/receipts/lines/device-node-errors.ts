import { access, constants, stat } from 'node:fs/promises'
import { type NodeOwner, nodeOwner } from './device-node-owner.ts'
import { LineError } from './line.ts'
import { listPrinterNodes } from './printer-device-nodes.ts'
import { listVendorClassPrinters } from './usb-vendor-class.ts'

/** Checks a device node before it is opened. @throws LineError `missing` or `forbidden` */
export async function inspectNode(path: string): Promise<void> {
  const node = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (node instanceof Error) throw await unseenNode(path, node)
  if (!node.isCharacterDevice()) {
    throw new LineError(
      'missing',
      { en: `${path} is not a device.`, hr: `${path} nije uređaj.` },
      {
        en: 'Give the path of a device, as `fisk printer list` shows it.',
        hr: 'Upišite putanju uređaja, kako je prikazuje fisk printer list.',
      },
    )
  }
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw forbiddenNode(path, await nodeOwner(node), error)
  }
}

async function unseenNode(path: string, error: NodeJS.ErrnoException): Promise<LineError> {
  if (error.code === 'EACCES') {
    const fix = {
      en: 'Let the user that fiskd runs as enter the folders on the way to it.',
      hr: 'Dopustite korisniku pod kojim fiskd radi pristup svim mapama na putanji.',
    }
    return new LineError(
      'forbidden',
      {
        en: `${path} cannot be reached: a folder is closed to us.`,
        hr: `${path} nije dostupno: nema prava pristupa mapi.`,
      },
      fix,
      error,
    )
  }
  const missing = missingNode(path, await listPrinterNodes(), error)
  const [unusable] = await listVendorClassPrinters()
  if (!unusable) return missing
  const { name, problem, fix } = unusable
  const { en, hr } = missing.said
  const said = {
    en: `${en} The ${name} is attached, but ${problem.en}.`,
    hr: `${hr} Priključen je pisač ${name}, ali ${problem.hr}.`,
  }
  return new LineError(missing.code, said, fix, error)
}

export function missingNode(path: string, present: readonly string[], cause?: unknown): LineError {
  const fix =
    present.length === 0
      ? {
          en: 'Check the cable and the power of the printer; no printer or serial port is attached now.',
          hr: 'Provjerite kabel i napajanje pisača; trenutačno nije povezan nijedan pisač ni serijski priključak.',
        }
      : {
          en: `Check the cable and the power of the printer, or set one of those that are attached now: ${present.join(', ')}.`,
          hr: `Provjerite kabel i napajanje pisača ili postavite jedan od povezanih: ${present.join(', ')}.`,
        }
  return new LineError('missing', { en: `${path} is not there.`, hr: `${path} ne postoji.` }, fix, cause)
}

const READ_AND_WRITE = 0o6

export function forbiddenNode(path: string, node: NodeOwner, cause?: unknown): LineError {
  const mode = node.mode.toString(8).padStart(4, '0')
  const message = {
    en: `${path} belongs to user ${node.owner} and group ${node.group} (mode ${mode}); user ${node.user} may not open it.`,
    hr: `${path} pripada korisniku ${node.owner} i grupi ${node.group} (prava ${mode}); korisnik ${node.user} ne može ga otvoriti.`,
  }
  const groupMay = ((node.mode >> 3) & READ_AND_WRITE) === READ_AND_WRITE
  const join = `usermod -aG ${node.group} ${node.user}`
  const fix = groupMay
    ? {
        en: `Run \`${join}\` as root, then restart fiskd.`,
        hr: `Kao root pokrenite \`${join}\`, a zatim ponovno pokrenite fiskd.`,
      }
    : {
        en:
          `Group ${node.group} may not read and write it: give it a group that may with a udev rule (GROUP="lp", MODE="0660"), ` +
          `run \`usermod -aG lp ${node.user}\` as root, then restart fiskd.`,
        hr:
          `Grupa ${node.group} nema pravo čitanja i pisanja: udev pravilom dodijelite grupu koja ga ima (GROUP="lp", ` +
          `MODE="0660"), kao root pokrenite \`usermod -aG lp ${node.user}\`, a zatim ponovno pokrenite fiskd.`,
      }
  return new LineError('forbidden', message, fix, cause)
}

export function busyNode(path: string, cause?: unknown): LineError {
  const fix = {
    en: `Stop the program that uses it (\`fuser -v ${path}\` names it), e.g. a modem manager or a login on that port.`,
    hr:
      `Zaustavite program koji ga koristi (pokazuje ga \`fuser -v ${path}\`), npr. upravitelj modema ili ` +
      'prijavu na tom priključku.',
  }
  return new LineError(
    'busy',
    { en: `${path} is in use by another program.`, hr: `${path} koristi drugi program.` },
    fix,
    cause,
  )
}

/** The error for a node that exists, but whose device does not work. */
export function deadNode(path: string, cause: unknown): LineError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new LineError(
    'missing',
    { en: `${path} cannot be used: ${reason}.`, hr: `${path} ne može se koristiti: ${reason}.` },
    {
      en: 'Check that the printer is on this port, as `fisk printer list` shows it.',
      hr: 'Provjerite je li pisač na tom priključku, kako prikazuje fisk printer list.',
    },
    cause,
  )
}

/** The error for an open device that is gone. */
export function brokenNode(path: string, cause?: unknown): LineError {
  return new LineError(
    'broken',
    { en: `The printer on ${path} is gone.`, hr: `Pisač na ${path} više nije povezan.` },
    { en: 'Check the cable and the power of the printer.', hr: 'Provjerite kabel i napajanje pisača.' },
    cause,
  )
}

export function stalledLine(name: string): LineError {
  return new LineError(
    'stalled',
    { en: `The printer on ${name} takes no more data.`, hr: `Pisač na ${name} više ne prima podatke.` },
    {
      en: 'Check paper, cover and power of the printer, and that the flow control that is set is the one of the printer.',
      hr: 'Provjerite papir, poklopac i napajanje pisača te je li kontrola toka ista kao na pisaču.',
    },
  )
}
