import { access, constants, realpath, stat } from 'node:fs/promises'
import { type NodeOwner, nodeOwner } from './device-node-owner.ts'
import { LineError } from './line.ts'
import { listPrinterNodes } from './printer-device-nodes.ts'
import { listVendorClassPrinters } from './usb-vendor-class.ts'

/**
 * Checks a device node before it is opened.
 * @returns the real path, with all links followed
 * @throws LineError `missing` or `forbidden`
 */
export async function inspectNode(path: string): Promise<string> {
  const node = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (node instanceof Error) throw await unseenNode(path, node)
  if (!node.isCharacterDevice()) {
    throw new LineError(
      'missing',
      `${path} is not a device.`,
      'Give the path of a device, as `fisk printer list` shows it.',
    )
  }
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw forbiddenNode(path, await nodeOwner(node), error)
  }
  return await realpath(path)
}

async function unseenNode(path: string, error: NodeJS.ErrnoException): Promise<LineError> {
  if (error.code === 'EACCES') {
    const fix = 'Let the user that fiskd runs as enter the folders on the way to it.'
    return new LineError('forbidden', `${path} cannot be reached: a folder is closed to us.`, fix, { cause: error })
  }
  const missing = missingNode(path, await listPrinterNodes(), error)
  const [unusable] = await listVendorClassPrinters()
  if (!unusable) return missing
  const { name, problem, fix } = unusable
  return new LineError(missing.code, `${missing.message} The ${name} is attached, but ${problem}.`, fix, {
    cause: error,
  })
}

export function missingNode(path: string, present: readonly string[], cause?: unknown): LineError {
  const fix =
    present.length === 0
      ? 'Check the cable and the power of the printer; no printer or serial port is attached now.'
      : `Check the cable and the power of the printer, or set one of those that are attached now: ${present.join(', ')}.`
  return new LineError('missing', `${path} is not there.`, fix, { cause })
}

const READ_AND_WRITE = 0o6

/** Names the owner of the node and how to get access. */
export function forbiddenNode(path: string, node: NodeOwner, cause?: unknown): LineError {
  const mode = node.mode.toString(8).padStart(4, '0')
  const message = `${path} belongs to user ${node.owner} and group ${node.group} (mode ${mode}); user ${node.user} may not open it.`
  const groupMay = ((node.mode >> 3) & READ_AND_WRITE) === READ_AND_WRITE
  const join = `usermod -aG ${node.group} ${node.user}`
  const fix = groupMay
    ? `Run \`${join}\` as root, then restart fiskd.`
    : `Group ${node.group} may not read and write it: give it a group that may with a udev rule (GROUP="lp", MODE="0660"), ` +
      `run \`usermod -aG lp ${node.user}\` as root, then restart fiskd.`
  return new LineError('forbidden', message, fix, { cause })
}

export function busyNode(path: string, cause?: unknown): LineError {
  const fix = `Stop the program that uses it (\`fuser -v ${path}\` names it), e.g. a modem manager or a login on that port.`
  return new LineError('busy', `${path} is in use by another program.`, fix, { cause })
}

/** The error for a node that exists, but whose device does not work. */
export function deadNode(path: string, cause: unknown): LineError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new LineError(
    'missing',
    `${path} cannot be used: ${reason}.`,
    'Check that the printer is on this port, as `fisk printer list` shows it.',
    { cause },
  )
}

/** The error for an open device that is gone. */
export function brokenNode(path: string, cause?: unknown): LineError {
  return new LineError('broken', `The printer on ${path} is gone.`, 'Check the cable and the power of the printer.', {
    cause,
  })
}

export function stalledLine(name: string): LineError {
  return new LineError(
    'stalled',
    `The printer on ${name} takes no more data.`,
    'Check paper, cover and power of the printer, and that the flow control that is set is the one of the printer.',
  )
}
