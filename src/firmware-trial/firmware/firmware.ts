import type { Ending, Sale, Spoken } from '../evidence.ts'

export type FirmwareEnvironment = Record<`FISKD_${'URL' | 'CA' | 'KEY' | 'DEVICE' | 'STATE'}`, string>

/** The firmware under trial: a program, or a machine with a person before it. */
export interface Firmware {
  life(): number
  spoken: Spoken[]
  endings: Ending[]
  /** Whether the trial has begun to end this life: what breaks off from then on is no fault of the firmware. */
  isEnding(life: number): boolean
  /** Its last lines that mean nothing to the trial. */
  log: string[]
  /** @param changed in its environment @param hoursAhead of its clock */
  start(changed?: Partial<FirmwareEnvironment>, hoursAhead?: number): Promise<void>
  press(sale: Sale): Promise<void>
  /** As a power cut; resolves when it is gone. */
  kill(): Promise<void>
  /** Null where the firmware says by itself what comes out of a sale. */
  ask: ((sale: Sale) => Promise<void>) | null
  /** Ends its input and waits for its end. */
  finish(): Promise<void>
  /** Leaves nothing of it running. */
  end(): Promise<void>
}
