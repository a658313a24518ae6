/**
 * A job as a printer takes it: commands in order, each segment whole commands, so that a real-time question may be asked
 * between two. A segment has at most about 512 bytes, but where a single command is longer.
 */
export interface Encoded {
  segments: readonly Uint8Array[]
}
