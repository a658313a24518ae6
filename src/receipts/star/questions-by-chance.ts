const ESC = 0x1b
const ACK = 0x06
const SOH = 0x01

/** Whether `ESC ACK SOH` is anywhere in the bytes: a Star answers it even inside of a picture. */
export function asksByChance(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at + 1)) {
    if (bytes[at + 1] === ACK && bytes[at + 2] === SOH) return true
  }
  return false
}
