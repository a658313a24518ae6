/**
 * A job for a printer: each segment contains whole commands, so that a real-time question is possible between two
 * segments. A segment has at most about 512 bytes, unless a single command is longer.
 */
export interface Encoded {
  segments: readonly Uint8Array[]
}
