import { type Screen, type } from '../terminal.ts'
import type { Field } from './field.ts'
import type { Mending, Mistake } from './mistake.ts'

/** A row of the table. */
export interface Played {
  title: string
  typed: string
  screen: string
  commands: string[]
  seconds: number
}

/**
 * Makes a mistake, looks at the screen, and types what stands there.
 * @throws Error with the screen when the cause or the command is not on it, or what is typed does not mend it
 */
export async function play(mistake: Mistake, field: Field): Promise<Played> {
  const startedAt = performance.now()
  await mistake.make(field)
  let screen: Screen | undefined
  for (const { command, dialogue } of mistake.typed) screen = await type(field.root, command, dialogue)
  const seen = screen?.text ?? ''
  let said = oneLine(seen)
  if (!mistake.cause.test(said)) throw new Error(`${mistake.cause} is not on the screen:\n${seen}`)
  const commands: string[] = []
  for (const mending of mistake.mending) {
    const command = commandOn(said, mending)
    await mending.hands?.act(field, said)
    const done = await type(field.root, command, mending.dialogue)
    commands.push(mending.hands ? `(${mending.hands.what}) ${command}` : command)
    if (done.code !== 0 && !mending.goesOn) throw new Error(`${command} ended with ${done.code}:\n${done.text}`)
    if (mending.goesOn) said = oneLine(done.text)
  }
  await (mistake.mended ?? sells)(field)
  const typed = mistake.typed.map(({ command }) => command).join('; ')
  return { title: mistake.title, typed, screen: seen, commands, seconds: (performance.now() - startedAt) / 1000 }
}

async function sells({ root, sell }: Field): Promise<void> {
  await sell()
  const { text, code } = await type(root, 'fisk status')
  if (code !== 0) throw new Error(`it does not sell:\n${text}`)
}

function commandOn(said: string, { command, instead = {} }: Mending): string {
  const found = command.exec(said)
  if (!found) throw new Error(`${command} is not on the screen:\n${said}`)
  const typed = found[1] ?? found[0]
  return Object.entries(instead).reduce((text, [name, value]) => text.replaceAll(name, value), typed)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** The table of all screens, in Markdown; of a long diagnosis only what is not well. */
export function tableOf(rows: readonly Played[]): string {
  const lines = rows.map(({ title, typed, screen, commands, seconds }) => {
    const cells = [title, `${code(typed)}<br>${shown(screen)}`, commands.map(code).join('<br>'), seconds.toFixed(1)]
    return `| ${cells.join(' | ')} |`
  })
  return ['| mistake | screen | what was typed from it | mended after (s) |', '|---|---|---|---|', ...lines].join('\n')
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``

function shown(screen: string): string {
  const lines = screen.trim().split('\n')
  const isOfWell = lines.map((line, at) => {
    const lead = lines.slice(0, at + 1).findLast((one) => /^(ok|warn|fail|skip) /.test(one)) ?? ''
    return /^(ok|skip) /.test(lead) && (line === lead || /^ {10}/.test(line))
  })
  return lines
    .filter((line, at) => !isOfWell[at] && line.trim() !== '')
    .map((line) => line.replace(/\s+/g, ' ').replaceAll('|', '\\|'))
    .join('<br>')
}
