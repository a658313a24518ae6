import type { PrinterSettings } from '../../../../src/domain/printer.ts'
import type { Encoded } from '../../../../src/receipts/encoding/encoded-job.ts'
import { Machine, type MachineOptions, type Paper } from '../../../../src/simulator/index.ts'

/** What a printer makes of a job. */
export interface Print {
  papers: Paper[]
  unknownCommands: string[]
  /** Commands that stood where a printer does not do them. */
  refused: string[]
}

/**
 * Prints a job on a printer as the settings describe it: what it puts on paper, the whole of it.
 * @param between what is sent after each segment
 * @param model what else the printer is or lacks
 */
export function print(
  job: Encoded,
  { columns, dpi, commands, cut }: Pick<PrinterSettings, 'columns' | 'dpi' | 'commands' | 'cut'>,
  between: Uint8Array = new Uint8Array(),
  model: MachineOptions = {},
): Print {
  const dots = columns <= 35 ? columns * 12 : dpi === 180 ? 512 : 576
  const maker = cut === 'present' || cut === 'eject' ? 'custom' : 'epson'
  const machine = new Machine({ dots, dpi, commands, maker, ...model, bufferBytes: 1 << 20 })
  for (const segment of job.segments) machine.receive(Buffer.concat([segment, between]))
  const { papers, unknownCommands, refused } = machine
  void machine.close()
  return { papers, unknownCommands, refused }
}

/** The job in one piece, as it is kept. */
export function bytesOf(job: Encoded): Buffer {
  return Buffer.concat(job.segments)
}
