import type { Dialogue } from '../terminal.ts'
import type { Field } from './field.ts'

/** Something that a technician gets wrong, or that happens to the machine. */
export interface Mistake {
  title: string
  /** Part of the short form. */
  isShort?: true
  /** Makes it, as it happens in the field. */
  make(field: Field): Promise<void>
  /** What is typed then, in this order; the last screen has to name the cause. */
  typed: readonly Typed[]
  cause: RegExp
  /** What mends it, in this order. */
  mending: readonly Mending[]
  /** @throws Error unless it is mended; a sale that is fiscalized where left out */
  mended?(field: Field): Promise<void>
}

export interface Typed {
  command: string
  dialogue?: Dialogue
}

/** A command that stands on the last screen, blanks and ends of lines aside. */
export interface Mending {
  /** Its first group, or all of it. */
  command: RegExp
  /** What the technician puts in the place of names in capitals, and of what is not in this Debian. */
  instead?: Readonly<Record<string, string>>
  dialogue?: Dialogue
  /** What hands do before, as the screen says: a line corrected, a file removed. */
  hands?: { what: string; act(field: Field, screen: string): Promise<void> }
  /** Its screen says how to go on: the next mending stands there. */
  goesOn?: true
}
