/** Enough bytes to complete any command that a printer still waits for; otherwise the printer ignores each. */
export const NULS = new Uint8Array(1100)
