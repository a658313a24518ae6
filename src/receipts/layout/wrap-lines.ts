/** Characters after which a word longer than the line is broken, so that a JIR and a receipt number stay readable. */
const JOINTS = ['-', '/']

/**
 * Breaks text at words into lines of at most `width` characters, at least one line. A word that is longer than a line
 * is broken after a hyphen or slash if it has one, else at the end of the line; only spaces are ever left out.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length <= width) {
      line += ` ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (line.length > width) {
      const cut = 1 + Math.max(...JOINTS.map((joint) => line.lastIndexOf(joint, width - 1)))
      const taken = cut > 1 ? cut : width
      lines.push(line.slice(0, taken))
      line = line.slice(taken)
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}
